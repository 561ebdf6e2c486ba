import { defined } from '../../core/base/defined.ts';
import { waitingTerm } from '../../core/contract/added-terms.ts';
import type { PhaseMove } from '../../core/task/command.ts';
import type { Phase, Validation } from '../../core/contract/contract.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Event } from '../../core/journal/event.ts';
import type { KnownPhase, TaskState } from '../../core/task/state.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Held } from './carry.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { load } from '../record/load.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { readStanding } from '../views/standing-contract.ts';
import { leaseOf, recordedRun, runValidation, type Ran, type RecordedRun } from './run.ts';

export interface PhaseView {
  readonly phase: Phase;
  /** Null where it was never started. */
  readonly known: KnownPhase | null;
  /** Of one that failed: what did, by the journal, and how. */
  readonly failure?: PhaseFailure;
}

/** `earlier`: a phase before it was undone, and it has to be shown again. */
export interface PhaseFailure {
  readonly of: 'verify' | 'rollback' | 'earlier';
  readonly why: string;
}

/** The contract's phases in order, with what became of each. */
export async function phases(context: Context, task: TaskId): Promise<readonly PhaseView[]> {
  const { state } = await load(context, task);
  const contract = await readStanding(context, state);
  const failures = await failuresOf(context, state);
  return (contract.phases ?? []).map((phase) => ({
    phase,
    known: state.phases.find(({ name }) => name === phase.name) ?? null,
    ...defined({ failure: failures.get(phase.name) }),
  }));
}

async function failuresOf(
  context: Context,
  { task, seq, phases: known }: TaskState,
): Promise<ReadonlyMap<string, PhaseFailure>> {
  const found = new Map<string, PhaseFailure>();
  const open = new Set(known.filter(({ status }) => status === 'failed').map(({ name }) => name));
  if (open.size === 0) return found;
  const { entriesBackward } = await import('../history/remarks.ts');
  for await (const { events } of entriesBackward(context, task, seq)) {
    for (const event of events)
      if (event.type === 'phase-failed' && open.delete(event.phase))
        found.set(event.phase, { of: failedPart(events, event.phase), why: event.why });
    if (open.size === 0) break;
  }
  return found;
}

/** An entry moves one phase first, after the runs for it; others in it are those that stood on that one. */
function failedPart(events: readonly Event[], phase: string): PhaseFailure['of'] {
  const moved = events.find(({ type }) => type === 'phase-failed' || type === 'phase-rolled-back');
  if (moved !== undefined && 'phase' in moved && moved.phase !== phase) return 'earlier';
  const isUndone = events.some((one) => one.type === 'validation-run' && one.phase?.part === 'rollback');
  return isUndone ? 'rollback' : 'verify';
}

export interface PhaseOutcome extends Recorded {
  readonly ran: readonly RecordedRun[];
  readonly moved: PhaseMove['to'];
}

export interface PhaseOptions {
  readonly signal?: AbortSignal;
  readonly starting?: (validation: Validation) => void;
}

export async function startPhase(context: Context, held: Held, name: string, call: Call): Promise<Recorded> {
  const facts = await (await context.workspace?.())?.probe();
  const workspace = facts === undefined ? {} : { workspace: facts.digest };
  return await move(context, held, { phase: { phase: name, to: 'started', ...workspace }, ran: [] }, call);
}

/** Runs what verifies the phase. All of it must pass, on one state of the workspace. */
export async function verifyPhase(
  context: Context,
  held: Held,
  asked: PhaseOptions & { readonly phase: string; readonly because?: string },
  call: Call,
): Promise<PhaseOutcome> {
  const before = await movedBefore(context, held, { phase: asked.phase, to: 'verified' }, call);
  if (before !== undefined) return before;
  const phase = await phaseNamed(context, held, asked.phase, 'verified', call);
  const commands = phase.verify ?? [];
  if (commands.length === 0 && asked.because === undefined) {
    throw new StaffettaError(
      'invalid-input',
      `Phase ${phase.name} has no command that verifies it; say what shows that it is done.`,
      { hint: `staffetta phase verify ${JSON.stringify(phase.name)} --because "…"` },
    );
  }
  if (call.dryRun === true) {
    const because = asked.because === undefined ? {} : { because: asked.because };
    return await rehearse(
      context,
      held,
      { phase: phase.name, to: 'verified', ...because },
      { ...asked, commands },
      call,
    );
  }
  const ran = await runAll(context, commands, { ...asked, held, name: phase.name, part: 'verify' });
  const fault = verifyFault(ran, commands.length);
  const workspace = ran.at(-1)?.event.workspace ?? undefined;
  const to: PhaseMove =
    fault !== undefined
      ? { phase: phase.name, to: 'failed', why: fault }
      : {
          phase: phase.name,
          to: 'verified',
          ...defined({ workspace, because: asked.because }),
        };
  return await movePhase(context, held, { phase: to, ran, wanted: 'verified' }, call);
}

/** Runs what undoes the phase. If that fails, the phase stays as it is, and a person has to look. */
export async function rollBackPhase(
  context: Context,
  held: Held,
  asked: PhaseOptions & { readonly phase: string; readonly why: string },
  call: Call,
): Promise<PhaseOutcome> {
  const { why: reason } = asked;
  const before = await movedBefore(
    context,
    held,
    { phase: asked.phase, to: 'rolled-back', why: reason },
    call,
  );
  if (before !== undefined) return before;
  const phase = await phaseNamed(context, held, asked.phase, 'rolled-back', call);
  const commands = phase.rollback ?? [];
  if (commands.length === 0) {
    throw new StaffettaError('invalid-input', `Phase ${phase.name} has no command that undoes it.`, {
      hint: `Restore a packet that was sealed before it: staffetta restore ${held.task} --at PACKET`,
    });
  }
  if (call.dryRun === true) {
    const intent: PhaseMove = { phase: phase.name, to: 'rolled-back', why: asked.why };
    return await rehearse(context, held, intent, { ...asked, commands }, call);
  }
  const ran = await runAll(context, commands, { ...asked, held, name: phase.name, part: 'rollback' });
  const failed = ran.find(({ passed }) => !passed);
  const why =
    failed === undefined
      ? asked.why
      : `${failed.validation.run.join(' ')} did not succeed when the phase was to be undone.`;
  const workspace = ran.at(-1)?.report.after ?? undefined;
  const to: PhaseMove =
    failed === undefined
      ? { phase: phase.name, to: 'rolled-back', why, ...defined({ workspace }) }
      : { phase: phase.name, to: 'failed', why };
  return await movePhase(context, held, { phase: to, ran, wanted: 'rolled-back' }, call);
}

/** What came of the same request the first time: no command is run again for it. */
async function movedBefore(
  context: Context,
  held: Held,
  intent: PhaseMove,
  call: Call,
): Promise<PhaseOutcome | undefined> {
  if (call.key === undefined || (await keyedEntry(context, held.task, call.key)) === undefined)
    return undefined;
  const recorded = await move(context, held, { phase: intent, ran: [] }, call);
  const failed = recorded.entry?.events.some(
    (event) => event.type === 'phase-failed' && event.phase === intent.phase,
  );
  return { ...recorded, ran: [], moved: failed === true ? 'failed' : intent.to };
}

/** A dry run names the commands and starts none: they may change anything. */
async function rehearse(
  context: Context,
  held: Held,
  intent: PhaseMove,
  { starting, commands }: Pick<PhaseOptions, 'starting'> & { readonly commands: readonly Validation[] },
  call: Call,
): Promise<PhaseOutcome> {
  for (const validation of commands) starting?.(validation);
  return { ...(await move(context, held, { phase: intent, ran: [] }, call)), ran: [], moved: intent.to };
}

/** The phase, once it is known that it may move so: no command is started for nothing. */
async function phaseNamed(
  context: Context,
  held: Held,
  name: string,
  to: 'verified' | 'rolled-back',
  call: Call,
): Promise<Phase> {
  const intent: PhaseMove = to === 'verified' ? { phase: name, to } : { phase: name, to, why: 'asked' };
  await move(context, held, { phase: intent, ran: [] }, { by: call.by, dryRun: true });
  const { state } = await load(context, held.task);
  const found = (await readContract(context, state.contract)).phases?.find((phase) => phase.name === name);
  if (found !== undefined) {
    const standing = await readStanding(context, state);
    const isOurs = (one: Validation): boolean => waitingTerm(standing, one, held.generation) === undefined;
    const { verify, rollback } = found;
    return {
      ...found,
      ...(verify === undefined ? {} : { verify: verify.filter(isOurs) }),
      ...(rollback === undefined ? {} : { rollback: rollback.filter(isOurs) }),
    };
  }
  throw new StaffettaError('unknown-phase', `The contract of task ${held.task} has no phase ${name}.`);
}

/** One after the other, until one fails: what comes after it was meant for another state. */
async function runAll(
  context: Context,
  commands: readonly Validation[],
  about: PhaseOptions & { readonly held: Held; readonly name: string; readonly part: 'verify' | 'rollback' },
): Promise<Ran[]> {
  const { state } = await load(context, about.held.task);
  const lease = leaseOf(state, about.held.generation);
  const ran: Ran[] = [];
  for (const validation of commands) {
    about.starting?.(validation);
    const phase = { name: about.name, part: about.part };
    const one = await runValidation(context, validation, { signal: about.signal, phase, lease });
    ran.push(one);
    if (!one.passed) break;
  }
  return ran;
}

function verifyFault(ran: readonly Ran[], commands: number): string | undefined {
  const failed = ran.find(({ passed }) => !passed);
  if (failed !== undefined || ran.length < commands)
    return `${failed?.validation.run.join(' ') ?? 'A command'} did not pass.`;
  const changing = ran.find(({ changedWorkspace }) => changedWorkspace);
  if (changing !== undefined)
    return `The workspace changed while ${changing.validation.run.join(' ')} ran, so what it showed holds no longer.`;
  return undefined;
}

interface Move {
  readonly phase: PhaseMove;
  readonly ran: readonly Ran[];
  /** What was asked for; what came of it may be another thing. */
  readonly wanted?: PhaseMove['to'];
}

/** The move with its runs, which are in the same entry. */
async function movePhase(context: Context, held: Held, made: Move, call: Call): Promise<PhaseOutcome> {
  const recorded = await move(context, held, made, call);
  return { ...recorded, ran: made.ran.map((one) => recordedRun(one, recorded)), moved: made.phase.to };
}

async function move(
  context: Context,
  { task, generation }: Held,
  { phase, ran, wanted = phase.to }: Move,
  call: Call,
): Promise<Recorded> {
  const runs = ran.map(({ event }) => event);
  return await record(context, {
    task,
    call,
    request: { phase: { phase: phase.phase, to: wanted }, generation },
    prepare: () => ({
      command: { type: 'record-runs', runs, phase, generation },
      blobs: ran.flatMap(({ output }) => (output.length === 0 ? [] : [output])),
    }),
  });
}
