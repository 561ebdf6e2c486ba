/** Where init and uninstall look: the programs that are here, the scope, and the folder in which they keep what was there before. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { dataFolder } from '../../home/data-folder.ts';
import { storeFolder, worktreeRoot } from '../../home/locate.ts';
import { packageFile } from '../../compose/package-file.ts';
import { loadRuntimes, loadSetups } from '../../compose/runtimes.ts';
import { programMeant } from '../../core/resume/runtime-names.ts';
import { runtimeNames, type RuntimeName } from '../../ports/runtime.ts';
import { runtimeOfKind } from '../../setup/files.ts';
import type { Homes, PlannedFile, Scope } from '../../setup/forms/agent-setup.ts';
import type { OwnPaths } from '../../setup/forms/entries.ts';
import { agentsFile, plannedFiles } from '../../setup/plan.ts';
import type { RecordPlace } from '../../setup/record.ts';
import type { Session } from './session.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { refuseBoth, text } from '../frame/values.ts';

export interface SetupPlace {
  readonly scope: Scope;
  readonly homes: Homes;
  readonly found: readonly RuntimeName[];
  readonly files: readonly PlannedFile[];
  /** The repository, where it is set up with the settings of the user. */
  readonly repository: string | null;
}

export async function setupPlace(session: Session, values: Values): Promise<SetupPlace> {
  refuseBoth(values, 'user', 'project');
  const scope: Scope = values['project'] === true ? 'project' : 'user';
  const wanted = runtimeWanted(values);
  const homes = await homesOf(session);
  const found = runtimeNames.filter(
    (name) => homes.homes[name] !== undefined && (wanted === undefined || name === wanted),
  );
  // With --user nothing of the repository is touched.
  const agents = found.length === 0 || values['user'] === true ? [] : [agentsFile(homes.root)];
  const files = [...found.flatMap((name) => plannedFiles(name, scope, homes)), ...agents];
  const repository = scope === 'user' && agents.length > 0 ? homes.root : null;
  return { scope, homes, found, files, repository };
}

/** The files of every program in a scope, whether the program is here or not. */
export function everyFile({ homes }: SetupPlace, scope: Scope, values: Values): PlannedFile[] {
  const wanted = runtimeWanted(values);
  const names = runtimeNames.filter((name) => wanted === undefined || name === wanted);
  return names.flatMap((name) => plannedFiles(name, scope, homes));
}

/** Whether a kind of file is meant where one program is named. What is for all of them is meant only where none is. */
export function isMeantKind(kind: string, values: Values, { homes }: SetupPlace): boolean {
  const wanted = runtimeWanted(values);
  return wanted === undefined || runtimeOfKind(kind, homes.setups) === wanted;
}

function runtimeWanted(values: Values): RuntimeName | undefined {
  const given = text(values, 'runtime');
  if (given === undefined) return undefined;
  const name = programMeant(given);
  if (name !== undefined) return name;
  throw new UsageError(`--runtime takes one of ${runtimeNames.join(', ')}, not ${JSON.stringify(given)}.`);
}

async function homesOf({ env }: Session): Promise<Homes> {
  const homes: Partial<Record<RuntimeName, string>> = {};
  for (const runtime of await loadRuntimes(env)) {
    const found = await runtime.locate();
    if (found !== null) homes[runtime.name] = found.home;
  }
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  return {
    setups: await loadSetups(),
    homes,
    env,
    homeFolder: home === '' ? homedir() : home,
    root: worktreeRoot(process.cwd()),
    exists: existsSync,
  };
}

/** What was there before is kept in them: files of the user in one, files of the repository in the other. */
export function recordPlaces(session: Session, { homes: { root } }: SetupPlace): Record<Scope, RecordPlace> {
  return {
    user: { folder: join(dataFolder(session.env), 'installed'), scope: 'user', root },
    project: {
      folder: session.home?.installed ?? join(root, storeFolder, 'installed'),
      scope: 'project',
      root,
    },
  };
}

export function ownPaths(): OwnPaths {
  return {
    node: process.execPath,
    hook: packageFile('dist/hook/main.cjs'),
    command: packageFile('bin/staffetta.cjs'),
    plugin: packageFile('plugin/opencode/staffetta.js'),
  };
}

/** Where a shell would find the command by its name. */
export function commandOnPath(env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? ['staffetta.cmd', 'staffetta.exe'] : ['staffetta'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
