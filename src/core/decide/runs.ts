import { isPerson, mayDirect } from '../task/actor.ts';
import type { Asked, Command, Decision, PhaseMove } from '../task/command.ts';
import { defined } from '../base/defined.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from '../journal/event.ts';
import { waitingPhase, waitsForPerson, type TaskState } from '../task/state.ts';
import { authorReview, refuseFinal, refuseNonHolder, standingDetails, takenFor } from './guard.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** What the tool saw when it ran the contract's commands, and what that means for a phase. */
export function decideRuns(state: TaskState, command: Of<'record-runs'>, asked: Asked): Decision {
  const refusal =
    refuseFinal(state, asked) ??
    (command.generation === undefined
      ? refuseOnlooker(state, asked, command.phase)
      : refuseNonHolder(state, asked, command.generation)) ??
    (command.phase === undefined ? undefined : refusePhase(state, command.phase));
  if (refusal !== undefined) return refusal;
  const runs = command.runs.map((run): Event => ({ type: 'validation-run', v: 1, ...run }));
  const { phase } = command;
  if (phase === undefined) return runs;
  const undone = phase.to === 'rolled-back' || command.runs.some((run) => run.phase?.part === 'rollback');
  return [...runs, phaseEvent(phase), ...(undone ? shaken(state, phase.phase) : [])];
}

/** What was verified after a phase stood on it: with the phase undone, it has to be shown again. */
function shaken(state: TaskState, phase: string): Event[] {
  const names = state.terms.phases ?? [];
  const why = `Phase ${phase}, which comes before it, was undone.`;
  return names
    .slice(names.indexOf(phase) + 1)
    .filter((name) => isVerified(state, name))
    .map((name) => ({ type: 'phase-failed', v: 1, phase: name, why }));
}

function refuseOnlooker(
  state: TaskState,
  asked: Asked,
  phase: PhaseMove | undefined,
): StaffettaError | undefined {
  if (phase === undefined && mayDirect(asked.by)) return undefined;
  return new StaffettaError(
    'not-holder',
    phase === undefined
      ? `${asked.by.name} does not hold task ${state.task}; a result is recorded by its holder, a supervisor or a person.`
      : `${asked.by.name} does not hold task ${state.task}; its phases are moved by its holder.`,
    {
      details: standingDetails(state, asked),
      hint: `Take it first: staffetta take ${state.task}`,
    },
  );
}

function refuseUnknownPhase({ task, terms }: TaskState, phase: string): StaffettaError | undefined {
  const names = terms.phases ?? [];
  if (names.includes(phase)) return undefined;
  return new StaffettaError(
    'unknown-phase',
    names.length === 0
      ? `The contract of task ${task} has no phases.`
      : `The contract of task ${task} has no phase ${JSON.stringify(phase)}; it has ${names.join(', ')}.`,
    { details: { task, phases: names } },
  );
}

function refusePhase(state: TaskState, move: PhaseMove): StaffettaError | undefined {
  const unknown = refuseUnknownPhase(state, move.phase);
  if (unknown !== undefined) return unknown;
  const names = state.terms.phases ?? [];
  const place = names.indexOf(move.phase);
  const known = state.phases.find(({ name }) => name === move.phase);
  const isOn = known !== undefined && known.status !== 'rolled-back';
  if (move.to !== 'started' && !isOn)
    return wrongPhase(state, `Phase ${move.phase} has not been started.`, move.phase);
  if (move.to === 'failed' || move.to === 'rolled-back') return undefined;
  const before = names.slice(0, place).find((name) => !isVerified(state, name));
  if (before !== undefined)
    return wrongPhase(state, `Phase ${before} comes first and is not verified.`, before);
  const waits = names.slice(0, place).find((name) => waitsForPerson(state, name));
  if (waits !== undefined) return phaseWaits(state, waits);
  if (move.to === 'verified') return undefined;
  return isOn
    ? wrongPhase(state, `Phase ${move.phase} was started already; it is ${known.status}.`, move.phase)
    : undefined;
}

function phaseWaits({ task }: TaskState, phase: string): StaffettaError {
  return new StaffettaError('review-required', `Phase ${phase} of task ${task} waits for a person.`, {
    details: { task, phase },
    hint: 'A person approves it, at a terminal of their own. Leave the task with them until then.',
  });
}

/** Work is not handed in past a phase that a person has not seen. */
export function refuseUnapprovedPhase(state: TaskState): StaffettaError | undefined {
  const phase = waitingPhase(state);
  return phase === undefined ? undefined : phaseWaits(state, phase);
}

/** From outside the leg, by a person who wrote none of it. */
export function decideApprovePhase(state: TaskState, command: Of<'approve-phase'>, asked: Asked): Decision {
  const { phase, why } = command;
  const author = takenFor(asked.by, state.authors);
  const refusal =
    refuseFinal(state, asked) ??
    refuseUnknownPhase(state, phase) ??
    (author === undefined ? undefined : authorReview(state, asked.by, author));
  if (refusal !== undefined) return refusal;
  if (!isPerson(asked.by)) {
    return new StaffettaError('denied', `Phase ${phase} of task ${state.task} is for a person to approve.`, {
      details: { task: state.task, phase },
      hint: 'A person decides, at a terminal of their own.',
    });
  }
  if (!isVerified(state, phase)) return wrongPhase(state, `Phase ${phase} is not verified.`, phase);
  if (state.phases.some(({ name, approved }) => name === phase && approved !== undefined)) return [];
  return [{ type: 'phase-approved', v: 1, phase, ...defined({ why }) }];
}

function isVerified(state: TaskState, phase: string): boolean {
  return state.phases.some(({ name, status }) => name === phase && status === 'verified');
}

function wrongPhase(state: TaskState, text: string, phase: string): StaffettaError {
  return new StaffettaError('wrong-state', text, {
    details: { task: state.task, phase, phases: state.phases },
    hint: `See: staffetta phase status ${state.task}`,
  });
}

function phaseEvent(move: PhaseMove): Event {
  const { phase } = move;
  const workspace = move.workspace === undefined ? {} : { workspace: move.workspace };
  switch (move.to) {
    case 'started':
      return { type: 'phase-started', v: 1, phase, ...workspace };
    case 'verified':
      return {
        type: 'phase-verified',
        v: 1,
        phase,
        ...workspace,
        ...defined({ because: move.because }),
      };
    case 'failed':
      return { type: 'phase-failed', v: 1, phase, why: move.why };
    case 'rolled-back':
      return { type: 'phase-rolled-back', v: 1, phase, why: move.why, ...workspace };
  }
}
