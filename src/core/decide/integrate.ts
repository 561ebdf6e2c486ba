/** From approved to done: the work is where its contract says that it goes. */
import { mayDirect } from '../task/actor.ts';
import type { Asked, Command, Decision } from '../task/command.ts';
import type { Digest } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import type { TaskState } from '../task/state.ts';
import { authorReview, isOneOf, refuseFinal, standingDetails, takenFor, wrongState } from './guard.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Also where somebody was asked about it meanwhile: what was approved stands until it is offered or agreed on anew. */
export function decideIntegrate(state: TaskState, command: Of<'integrate'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (state.approval === undefined || !isOneOf(state.status, ['approved', 'escalated']))
    return wrongState(state, asked, 'only approved work is integrated.');
  const { packet, onto, commit, tree } = command;
  const refusal =
    refuseIntegrator(state, asked) ?? refuseUnapproved(state, packet) ?? refuseElsewhere(state, onto);
  return (
    refusal ?? [
      { type: 'integrated', v: 1, packet, onto, commit, tree },
      { type: 'task-done', v: 1 },
    ]
  );
}

/** A director who wrote none of it. */
export function refuseIntegrator(state: TaskState, asked: Asked): StaffettaError | undefined {
  const { by } = asked;
  if (!mayDirect(by)) {
    return new StaffettaError(
      'denied',
      `Task ${state.task} is approved; a person or a supervisor integrates it or sends it back.`,
      {
        details: standingDetails(state, asked),
        hint: `If you know of a reason against it, leave a message: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  const author = takenFor(by, state.authors);
  return author === undefined ? undefined : authorReview(state, by, author);
}

/** A verdict on approved work is about what was approved. */
export function refuseUnapproved(
  { task, approval }: TaskState,
  packet: Digest | null,
): StaffettaError | undefined {
  if (approval !== undefined && approval.packet === packet) return undefined;
  return new StaffettaError('review-stale', `Task ${task} was not approved with the packet named.`, {
    details: { task, named: packet, approved: approval?.packet ?? null },
    hint: `See what was approved: staffetta show ${task}`,
  });
}

function refuseElsewhere({ task, terms }: TaskState, onto: string): StaffettaError | undefined {
  const wanted = terms.integrate?.onto;
  if (onto === wanted) return undefined;
  return new StaffettaError(
    'invalid-input',
    `The contract of task ${task} says that it goes onto ${wanted ?? 'nothing'}, not ${onto}.`,
    { details: { task, onto, wanted: wanted ?? null }, hint: `Integrate it onto ${wanted ?? 'its branch'}.` },
  );
}
