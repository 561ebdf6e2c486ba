/** Runners for their cases, each with agents that behave and that do not: real programs, and functions. */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type {
  AgentManner,
  AgentNote,
  OpenRunnerScratch,
  RunnerScratch,
} from '../../src/conformance/index.ts';
import type { Manner } from '../../src/ports/runtime.ts';
import { markName } from '../../src/ports/orphans.ts';
import type { LegSign, PermissionQuestion, Runner, RunnerKind } from '../../src/ports/index.ts';
import { acpRunner } from '../../src/runners/acp.ts';
import { functionRunner } from '../../src/runners/function.ts';
import { headlessRunner } from '../../src/runners/headless.ts';
import { linesRunner } from '../../src/runners/lines.ts';
import { runtime as claudeCode } from '../../src/runtimes/claude-code/index.ts';
import { isGone } from '../process/children.ts';
import { manners } from './manners.mjs';

const node = process.execPath;
const script = join(import.meta.dirname, 'agent.mjs');
/** Long enough for an agent that listens on a busy machine, and short enough to wait for one that does not. */
const graceMs = 1000;

export const runnerKinds: readonly RunnerKind[] = ['acp', 'headless', 'lines', 'function'];

export interface Place {
  readonly root: string;
  readonly folder: string;
  readonly notes: string;
  readonly env: NodeJS.ProcessEnv;
}

export function openRunnerScratch(
  kind: RunnerKind,
  spoil: (runner: Runner, place: Place) => Runner = (runner) => runner,
): OpenRunnerScratch {
  return () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-runner-')));
    const place = placeIn(root);
    const told = (): AgentNote[] => (existsSync(place.notes) ? notesIn(place.notes) : []);
    const signs: LegSign[] = [];
    const questions: PermissionQuestion[] = [];
    const noted: { mark: string; early: boolean; ended: boolean }[] = [];
    return {
      ...shapes[kind],
      missing: shapes[kind].has.programs ? spoil(missing(kind, place), place) : null,
      runner: (manner) => spoil(make(kind, manner, place), place),
      order: ({ ask = async () => await Promise.resolve('deny' as const), ...more } = {}) => ({
        folder: place.folder,
        env: place.env,
        access: 'change',
        permissions: {},
        note: (mark) => {
          const note = { mark, early: told().length === 0, ended: false };
          noted.push(note);
          return { began: () => {}, ended: () => void (note.ended = true) };
        },
        seen: (sign) => signs.push(sign),
        ask: async (question) => {
          questions.push(question);
          return await ask(question);
        },
        ...more,
      }),
      signs,
      questions,
      noted,
      told,
      living: () =>
        [...new Set(told().map(({ pid }) => pid))].filter((pid) => pid !== process.pid && canAct(pid)),
      release: () => writeFileSync(`${place.notes}.go`, ''),
      dispose: () => {
        for (const { pid } of told()) if (pid !== process.pid) kill(pid);
        rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  };
}

/** One that was killed is listed for a moment more, without the memory that it would need to do anything. */
function canAct(pid: number): boolean {
  try {
    return !isGone(pid) && readFileSync(`/proc/${pid}/environ`).length > 0;
  } catch {
    return false;
  }
}

/** One that a broken runner left. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const shapes: Readonly<Record<RunnerKind, Pick<RunnerScratch, 'has'>>> = {
  acp: {
    has: {
      programs: true,
      questions: true,
      sessions: true,
      looseLooks: true,
      noise: ['garbage', 'too-long', 'other-session'],
    },
  },
  headless: {
    has: {
      programs: true,
      questions: false,
      sessions: true,
      looseLooks: true,
      noise: ['garbage', 'too-long', 'other-session'],
    },
  },
  lines: {
    has: {
      programs: true,
      questions: true,
      sessions: true,
      looseLooks: false,
      noise: ['garbage', 'too-long'],
    },
  },
  function: { has: { programs: false, questions: true, sessions: false, looseLooks: false, noise: [] } },
};

function placeIn(root: string): Place {
  const [folder, bin, notes] = [join(root, 'work'), join(root, 'bin'), join(root, 'notes')];
  for (const path of [folder, bin]) mkdirSync(path);
  // Claude Code is looked for by its name.
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${node}' '${script}' headless "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    HOME: root,
    CLAUDE_CONFIG_DIR: join(root, '.claude'),
    AGENT_NOTES: notes,
  };
  return { root, folder, notes, env };
}

function notesIn(file: string): AgentNote[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AgentNote);
}

function make(kind: RunnerKind, manner: AgentManner, place: Place): Runner {
  return behaving(manner, kind === 'function' ? asFunction(manner, place) : asProgram(kind, place, manner));
}

/** The order's own environment tells the agent how to behave. */
function behaving(manner: AgentManner, runner: Runner): Runner {
  return {
    ...runner,
    open: async (order) => await runner.open({ ...order, env: { ...order.env, AGENT_MANNER: manner } }),
  };
}

function asProgram(kind: Exclude<RunnerKind, 'function'>, { env }: Place, manner?: AgentManner): Runner {
  const claude = claudeCode(env);
  const { headless, acp } = claude.working;
  const working = {
    ...claude.working,
    acp: { ...acp, args: [script, 'acp'] },
    headless: (way: Manner) => (manner === 'never-looks' && way.access === 'look' ? null : headless(way)),
  };
  const runtime = { ...claude, working };
  if (kind === 'lines') return linesRunner([node, script, 'lines'], { graceMs });
  return kind === 'acp'
    ? acpRunner({ runtime, program: node, installed: null }, { graceMs })
    : headlessRunner(runtime, { graceMs });
}

function missing(kind: RunnerKind, place: Place): Runner {
  const nowhere = join(place.root, 'no-such-program');
  const runtime = claudeCode({ ...place.env, PATH: nowhere });
  if (kind === 'lines') return linesRunner([nowhere]);
  return kind === 'headless'
    ? headlessRunner(runtime)
    : acpRunner({ runtime, program: nowhere, installed: null });
}

function asFunction(manner: AgentManner, { notes }: Place): Runner {
  const note = (entry: Omit<AgentNote, 'pid'>): void =>
    appendFileSync(notes, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
  return functionRunner(
    async ({ prompt, access, env, say, mayI }) => {
      note({ what: 'start', mark: env[markName] ?? '' });
      note({ what: 'turn', prompt, access, session: null });
      const refused = await manners[manner]({
        note,
        say,
        isLetGo: () => existsSync(`${notes}.go`),
        may: async (permission, what) =>
          manner !== 'asks' ? 'always' : (await mayI({ permission, what })) ? 'once' : 'no',
        leave: async () => await leave(notes, env),
      });
      if (refused !== undefined) throw new Error(refused);
    },
    { graceMs },
  );
}

async function leave(notes: string, env: NodeJS.ProcessEnv): Promise<void> {
  const line = `JSON.stringify({ what: 'start', pid: process.pid }) + '\\n'`;
  const stubborn = `process.on('SIGTERM', () => {}); require('node:fs').appendFileSync(${JSON.stringify(notes)}, ${line}); setInterval(() => {}, 1000);`;
  const child = spawn(node, ['-e', stubborn], { detached: true, stdio: 'ignore', env });
  child.unref();
  while (!notesIn(notes).some(({ pid }) => pid === child.pid)) await new Promise((go) => setTimeout(go, 5));
}
