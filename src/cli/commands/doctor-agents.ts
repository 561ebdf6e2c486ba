/** The coding agents that are here: whether each is found, set up and trusted, and whether what it would call answers. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStaffettaError } from '../../core/error.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { findSessions } from '../../handoff/sessions.ts';
import type { Runtime, RuntimeName } from '../../ports/runtime.ts';
import { textAt } from '../../setup/change.ts';
import { hooksIn, switchedOff, type FoundHooks } from '../../setup/found-hooks.ts';
import { untrusted } from '../../setup/codex-trust.ts';
import { plannedFiles, scopes, type Homes, type PlannedFile } from '../../setup/plan.ts';
import type { Session } from '../session.ts';
import { ownPaths, setupPlace } from '../setup-place.ts';
import { counted } from '../words.ts';
import type { Finding } from './doctor-finding.ts';
import { askServer } from './doctor-mcp.ts';

export async function agentFindings(session: Session): Promise<Finding[]> {
  const { homes, found } = await setupPlace(session, {});
  if (found.length === 0) return [];
  const runtimes = await loadRuntimes(session.env);
  const findings: Finding[] = [];
  for (const runtime of runtimes.filter(({ name }) => found.includes(name))) {
    findings.push(await programFinding(runtime), ...(await sessionsFinding(runtime)));
    findings.push(hooksFinding(runtime.name, homes));
  }
  findings.push(session.dryRun ? untriedServer : await askServer(ownPaths()));
  return [...findings, ...logFinding(session)];
}

const untriedServer: Finding = {
  check: 'mcp',
  status: 'untried',
  text: 'not tried: a dry run starts nothing',
};

async function programFinding(runtime: Runtime): Promise<Finding> {
  const { name: check, provenVersions } = runtime;
  const installed = await runtime.locate();
  if (installed === null || installed.program === null)
    return {
      check,
      status: 'untried',
      text: `its data is in ${installed?.home ?? 'no folder'}, but there is no program of that name on the PATH`,
      fix: 'Put the program on the PATH if it should be started from here.',
    };
  const version = await runtime.version();
  if (version === null)
    return {
      check,
      status: 'wrong',
      text: `${installed.program} does not say its version.`,
      fix: 'Start it once by hand and see what it says; install it again if it does not run.',
    };
  if (provenVersions.includes(version))
    return { check, status: 'ok', text: `${version} at ${installed.program}` };
  return {
    check,
    status: 'untried',
    text: `${version} at ${installed.program} is not a version that this was proven with (${provenVersions.join(', ')})`,
    fix: 'It may work all the same. If sessions cannot be read, update staffetta.',
  };
}

/** Said only where something is wrong with them. */
async function sessionsFinding(runtime: Runtime): Promise<Finding[]> {
  const { installed, troubles } = await findSessions([runtime], { limit: 1 });
  if (installed.length === 0 || troubles.length === 0) return [];
  return [
    {
      check: `${runtime.name}-sessions`,
      status: 'wrong',
      text: troubles.map(({ text }) => text).join(' '),
      fix: 'See to it that you may read it. Until then its sessions are neither listed nor rescued.',
    },
  ];
}

function hooksFinding(name: RuntimeName, homes: Homes): Finding {
  const check = `${name}-hooks` as const;
  try {
    const files = scopes.flatMap((scope) => plannedFiles(name, scope, homes));
    const found = files.flatMap((file) => foundIn(file));
    const [first] = found;
    if (first === undefined)
      return { check, status: 'untried', text: 'not set up', fix: 'Set it up with: staffetta init' };
    const wrong =
      wrongWith(found) ?? offIn(files) ?? (name === 'codex' ? distrusted(found, files) : undefined);
    if (wrong !== undefined) return { check, status: 'wrong', ...wrong };
    const where = found.map(({ path }) => path).join(', ');
    return { check, status: 'ok', text: `${counted(first.events, 'event')} in ${where}` };
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return { check, status: 'wrong', text: error.message, fix: error.hint ?? 'Put the file right.' };
  }
}

interface Found extends FoundHooks {
  readonly path: string;
  readonly text: string;
}

function foundIn({ kind, path }: PlannedFile): Found[] {
  const text = textAt(path);
  const hooks = text === null ? undefined : hooksIn(kind, path, text);
  return text === null || hooks === undefined ? [] : [{ ...hooks, path, text }];
}

type Wrong = Pick<Finding, 'text' | 'fix'>;

function wrongWith(found: readonly Found[]): Wrong | undefined {
  for (const { path, missing, programs } of found) {
    if (missing.length > 0)
      return { text: `${path} lacks ${missing.join(', ')}.`, fix: 'Write them with: staffetta init' };
    const gone = programs.find((program) => !existsSync(program));
    if (gone !== undefined)
      return {
        text: `${path} calls ${gone}, which is not there.`,
        fix: 'Write the paths as they are now with: staffetta init',
      };
  }
  return undefined;
}

function offIn(files: readonly PlannedFile[]): Wrong | undefined {
  for (const { kind, path } of files) {
    const text = textAt(path);
    const off = text === null ? undefined : switchedOff(kind, text);
    if (off !== undefined)
      return {
        text: `Hooks are switched off by ${off} in ${path}.`,
        fix: 'Switch them on there if you want them.',
      };
  }
  return undefined;
}

function distrusted(found: readonly Found[], files: readonly PlannedFile[]): Wrong | undefined {
  const config = files.find(({ kind }) => kind === 'codex-config');
  const settings = config === undefined ? '' : (textAt(config.path) ?? '');
  const skipped = found.flatMap(({ trusts }) => untrusted(trusts, settings));
  if (skipped.length === 0) return undefined;
  return {
    text: `Codex does not trust ${skipped.map(({ event }) => event).join(', ')} and skips them without a word.`,
    fix: `Trust them in Codex with /hooks, or write their hashes into ${config?.path ?? 'config.toml'} with: staffetta init`,
  };
}

/** What hooks could not do lately. */
function logFinding({ storePath }: Session): Finding[] {
  const path = join(dirname(storePath), 'hook.log');
  if (storePath === 'memory:' || !existsSync(path)) return [];
  const dayAgo = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
  const lines = readFileSync(path, 'utf8').split('\n');
  const recent = lines.filter((line) => line !== '' && line.slice(0, 24) >= dayAgo);
  const last = recent.at(-1);
  if (last === undefined) return [{ check: 'hook-log', status: 'ok', text: 'no hook failed within a day' }];
  return [
    {
      check: 'hook-log',
      status: 'untried',
      text: `${counted(recent.length, 'line')} within a day in ${path}; the last: ${last}`,
      fix: 'Agents went on undisturbed. Read the log if something is missing.',
    },
  ];
}
