import { filled } from '../base/defined.ts';
import { isPerson, mayDirect } from '../task/actor.ts';
import { mayAgree } from '../contract/added-terms.ts';
import type { Asked, Command, Decision, Fork } from '../task/command.ts';
import type { Digest } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from '../journal/event.ts';
import type { TaskState } from '../task/state.ts';
import { termsVersion, type Terms } from '../contract/terms.ts';
import {
  refuseFinal,
  refuseLease,
  refuseNonHolder,
  someOf,
  standingDetails,
  takenFor,
  wrongState,
} from './guard.ts';
import { legStartEvent, offerEvent } from './offer.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function decideOpen(state: TaskState | undefined, command: Of<'open'>, asked: Asked): Decision {
  if (state !== undefined) return new StaffettaError('task-exists', `Task ${state.task} exists already.`);
  const { fork } = command;
  const refusal = fork === undefined ? undefined : refuseWiderFork(fork, asked);
  if (refusal !== undefined) return refusal;
  const { contract, terms } = command;
  const { agreed = { contract, terms } } = fork ?? {};
  const opened: Event[] = [
    {
      type: 'task-opened',
      v: termsVersion(agreed.terms),
      contract: agreed.contract,
      terms: agreed.terms,
    },
    ...(fork === undefined ? [] : [forkedFrom(fork)]),
    ...(agreed.contract === contract ? [] : [takenOver(contract, terms)]),
  ];
  const { needs } = terms;
  const done = new Set(command.met);
  const met: Event[] = needs
    .filter((need) => done.has(need))
    .map((task) => ({ type: 'need-met', v: 1, task }));
  const { first } = command;
  if (first === null) return [...opened, ...met];
  if (!('take' in first)) {
    return [...opened, ...met, offerEvent({ offers: 0, packet: fork?.packet ?? null }, 'opened', first)];
  }
  const unmet = needs.filter((need) => !done.has(need));
  if (unmet.length > 0) {
    return new StaffettaError(
      'needs-unmet',
      `The task cannot be taken at once: it waits for ${someOf(unmet)}.`,
      { details: { unmet } },
    );
  }
  const lease = refuseLease(first.leaseMs);
  if (lease !== undefined) return lease;
  return [
    ...opened,
    ...met,
    legStartEvent(
      { generation: 0 },
      {
        lane: first.take,
        leaseMs: first.leaseMs,
        now: asked.now,
        offer: null,
        start: first.start,
      },
    ),
  ];
}

function forkedFrom({ task, seq, digest, packet, certification, authors, why, ...fork }: Fork): Event {
  return {
    type: 'task-forked',
    v: 1,
    from: { task, seq, digest },
    packet,
    certification,
    ...filled({ workspace: fork.workspace }),
    authors: [...authors],
    ...(fork.demands.length === 0 ? {} : { demands: [...fork.demands] }),
    ...filled({ start: fork.start }),
    why,
  };
}

/** Right after the fork it says that the whole contract is in force, and that what it adds waits to be confirmed. */
function takenOver(contract: Digest, terms: Terms): Event {
  return {
    type: 'contract-amended',
    v: termsVersion(terms),
    contract,
    terms,
    why: 'Taken over, and confirmed by nobody here.',
  };
}

/** A fork is no way around a contract: an actor that may not widen it in the task may not widen it beside the task. */
function refuseWiderFork({ task, widenings }: Fork, { by }: Asked): StaffettaError | undefined {
  if (widenings.length === 0 || mayDirect(by) || by.lane === 'plan') return undefined;
  return new StaffettaError(
    'lane-denied',
    `${by.lane === undefined ? 'Without a lane' : `In the ${by.lane} lane`} a fork of task ${task} may only narrow its contract: ${widenings.join('; ')}.`,
    {
      details: { task, widenings },
      hint: 'Keep goal and limits as they are, or ask somebody in the plan or supervise lane.',
    },
  );
}

/** The actor that added something to a contract does not confirm it, nor does anything it spawned. */
function refuseOwnTerms({ task, narrowed }: TaskState, { by }: Asked): StaffettaError | undefined {
  const added = (narrowed?.versions ?? []).flatMap((one) => {
    // People who worked on what a fork took over had agreed to what they wrote.
    if (one.writers !== undefined) return isPerson(by) ? [] : one.writers;
    return one.by === null ? [] : [one.by];
  });
  const found = takenFor(by, added);
  if (found === undefined) return undefined;
  const { name, other } = found;
  const why =
    name === other
      ? `${name} added to it, or worked on what was taken over`
      : `the name ${name} can be confused with ${other}, who did`;
  return new StaffettaError(
    'author-review',
    `${by.name} cannot confirm the contract of task ${task}: ${why}.`,
    { details: { task, name, confusedWith: other }, hint: 'Somebody else has to confirm it.' },
  );
}

/** People, supervisors and a holder in the plan lane amend as they see fit; any other holder may only narrow. */
export function decideAmend(state: TaskState, command: Of<'amend'>, asked: Asked): Decision {
  const free = mayAgree(asked.by, state.leg);
  const refusal =
    refuseFinal(state, asked) ??
    (free && mayDirect(asked.by)
      ? undefined
      : refuseNonHolder(state, asked, command.generation ?? state.generation));
  if (refusal !== undefined) return refusal;
  if (state.status === 'approved')
    return wrongState(state, asked, 'what was approved is integrated as it was agreed. Send it back first.');
  if (!free && command.contract === state.contract)
    return new StaffettaError(
      'lane-denied',
      `In the ${state.leg?.lane ?? 'execute'} lane nobody confirms what a holder added.`,
      {
        details: standingDetails(state, asked),
        hint: 'Ask a person, or somebody in the plan or supervise lane.',
      },
    );
  if (!free && command.widenings?.length !== 0) {
    const widenings = command.widenings ?? ['it is not known what changes'];
    return new StaffettaError(
      'lane-denied',
      `In the ${state.leg?.lane ?? 'execute'} lane a contract may only be narrowed: ${widenings.join('; ')}.`,
      {
        details: { ...standingDetails(state, asked), widenings },
        hint: 'Raise a decision, or hand the task to the plan or supervise lane.',
      },
    );
  }
  const { contract, terms, why } = command;
  const own = contract === state.contract ? refuseOwnTerms(state, asked) : undefined;
  if (own !== undefined) return own;
  return [{ type: 'contract-amended', v: termsVersion(terms), contract, terms, why }];
}
