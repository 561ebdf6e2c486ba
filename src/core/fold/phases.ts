import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import { limits } from '../base/limits.ts';
import type { KnownPhase, KnownRun, RunOutcome, TaskState } from '../task/state.ts';
import { bump, withNews } from './carry.ts';
import { law } from './law.ts';

export function validationRun(state: TaskState, event: EventOf<'validation-run'>, entry: Entry): TaskState {
  const key = runKey(event.run);
  const known = state.runs.find((one) => runKey(one.run) === key);
  const others = state.runs.filter((one) => one !== known);
  const outcome: RunOutcome = {
    seq: entry.seq,
    at: entry.at,
    exit: event.exit,
    workspace: event.workspace,
  };
  const passed = event.exit === 0;
  const run: KnownRun = {
    run: event.run,
    name: event.name ?? null,
    passed: passed ? outcome : (known?.passed ?? null),
    failed: passed ? (known?.failed ?? null) : outcome,
    failures: passed ? 0 : (known?.failures ?? 0) + 1,
  };
  return { ...state, runs: [...others, run].slice(-limits.runsKeptMax) };
}

function runKey(run: readonly string[]): string {
  return run.join('\0');
}

export function phaseApproved(state: TaskState, event: EventOf<'phase-approved'>, entry: Entry): TaskState {
  const known = state.phases.find(({ name }) => name === event.phase);
  law(known?.status === 'verified', 'only a verified phase is approved.');
  const approved = { by: entry.by.name, at: entry.at };
  const phases = state.phases.map((one) => (one === known ? { ...one, approved } : one));
  return { ...withNews(state, 'decisions'), phases };
}

const statusAfter = {
  'phase-started': 'started',
  'phase-verified': 'verified',
  'phase-failed': 'failed',
  'phase-rolled-back': 'rolled-back',
} as const;

type PhaseEvent = EventOf<keyof typeof statusAfter>;

export function phaseMoved(state: TaskState, event: PhaseEvent, entry: Entry): TaskState {
  const known = state.phases.find(({ name }) => name === event.phase);
  law(event.type === 'phase-started' || known !== undefined, `phase ${event.phase} was started.`);
  const phase: KnownPhase = {
    name: event.phase,
    status: statusAfter[event.type],
    at: entry.at,
    workspace: 'workspace' in event ? (event.workspace ?? null) : null,
  };
  const phases =
    known === undefined ? [...state.phases, phase] : state.phases.map((one) => (one === known ? phase : one));
  return { ...state, phases, mark: bump(state.mark, 'progress') };
}
