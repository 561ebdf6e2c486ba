/** Where init and uninstall look: the programs that are here, the scope, and the folder in which they keep what was there before. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { dataFolder, worktreeRoot } from '../compose/locate.ts';
import { packageFile } from '../compose/package-file.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { runtimeNames, type RuntimeName } from '../ports/runtime.ts';
import type { OwnPaths } from '../setup/entries.ts';
import { agentsFile, plannedFiles, scopes, type Homes, type PlannedFile, type Scope } from '../setup/plan.ts';
import type { Session } from './session.ts';
import type { Values } from './spec.ts';
import { UsageError } from './usage.ts';
import { refuseBoth, text } from './values.ts';

export interface SetupPlace {
  readonly scope: Scope;
  readonly homes: Homes;
  readonly found: readonly RuntimeName[];
  readonly files: readonly PlannedFile[];
  /** What was there before is kept in it. */
  readonly folder: string;
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
  return { scope, homes, found, files, folder: keptFolder(session, scope) };
}

/** The files of every program in both scopes, whether the program is here or not. */
export function everyFile({ homes }: SetupPlace): PlannedFile[] {
  return [
    ...scopes.flatMap((scope) => runtimeNames.flatMap((name) => plannedFiles(name, scope, homes))),
    agentsFile(homes.root),
  ];
}

function runtimeWanted(values: Values): RuntimeName | undefined {
  const given = text(values, 'runtime');
  if (given === undefined) return undefined;
  const name = runtimeNames.find((one) => one === given);
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
    homes,
    env,
    homeFolder: home === '' ? homedir() : home,
    root: worktreeRoot(process.cwd()),
    exists: existsSync,
  };
}

export function keptFolder(session: Session, scope: Scope): string {
  return scope === 'user'
    ? join(dataFolder(session.env), 'installed')
    : join(dirname(session.storePath), 'installed');
}

export function ownPaths(): OwnPaths {
  return {
    node: process.execPath,
    hook: packageFile('dist/hook/main.cjs'),
    command: packageFile('bin/staffetta.cjs'),
    plugin: packageFile('plugin/opencode/staffetta.js'),
  };
}
