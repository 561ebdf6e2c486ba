/** The coding agents that are here: whether each is found, set up and trusted, and whether what it would call answers. */
import { existsSync, readFileSync } from 'node:fs';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { findSessions } from '../../../handoff/sessions/sessions.ts';
import type { Runtime } from '../../../ports/runtime.ts';
import { stdioServer } from '../../../setup/forms/entries.ts';
import type { Session } from '../../call/session.ts';
import { commandOnPath, ownPaths, setupPlace } from '../../call/setup-place.ts';
import { counted } from '../../pages/words.ts';
import { leftOut, type DoctorFinding } from './doctor-finding.ts';
import { linkFindings } from './doctor-links.ts';
import { askServer, type McpFinding, type McpStart } from './doctor-mcp.ts';
import { tryHook } from './doctor-try.ts';

export async function agentFindings(session: Session): Promise<DoctorFinding[]> {
  const { homes, found } = await setupPlace(session, {});
  if (found.length === 0) return [];
  const runtimes = await loadRuntimes(session.env);
  const findings: DoctorFinding[] = [];
  const why = leftOut(session);
  const ask = why === undefined ? askedOnce() : notAsked(why);
  const call = why === undefined ? tryHook : async () => undefined;
  for (const runtime of runtimes.filter(({ name }) => found.includes(name))) {
    findings.push(await programFinding(runtime, session), ...(await sessionsFinding(runtime)));
    findings.push(...(await linkFindings(runtime.name, homes, { ask, call, env: session.env })));
  }
  findings.push({ check: 'mcp', ...(await ask(stdioServer(ownPaths()))) }, commandFinding(session));
  return [...findings, ...logFinding(session)];
}

function notAsked(why: string): () => Promise<McpFinding> {
  return async () => ({ status: 'untried', text: `not tried: ${why}` });
}

/** Programs are mostly told of the same server: it is started once. */
function askedOnce(): (start: McpStart) => Promise<McpFinding> {
  const answers = new Map<string, Promise<McpFinding>>();
  return async (start) => {
    const key = JSON.stringify([start.command, start.args, start.env ?? {}]);
    const answer = answers.get(key) ?? askServer(start);
    answers.set(key, answer);
    return await answer;
  };
}

function commandFinding({ env }: Session): DoctorFinding {
  const check = 'command';
  const path = commandOnPath(env);
  if (path !== undefined) return { check, status: 'ok', text: `staffetta is found at ${path}` };
  return {
    check,
    status: 'untried',
    text: 'there is no staffetta on the PATH; agents have its tools, but a shell does not find the command',
    fix: 'Install it for good: npm install -g staffetta',
  };
}

async function programFinding(runtime: Runtime, { values }: Session): Promise<DoctorFinding> {
  const { name: check, provenVersions } = runtime;
  const installed = await runtime.locate();
  if (installed === null || installed.program === null)
    return {
      check,
      status: 'untried',
      text: `its data is in ${installed?.home ?? 'no folder'}, but there is no program of that name on the PATH`,
      fix: 'Put the program on the PATH if it should be started from here.',
    };
  if (values['quick'] === true) return { check, status: 'ok', text: `at ${installed.program}` };
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
async function sessionsFinding(runtime: Runtime): Promise<DoctorFinding[]> {
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

/** What hooks could not do lately. */
function logFinding({ home }: Session): DoctorFinding[] {
  const path = home?.log;
  if (path === undefined || !existsSync(path)) return [];
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
