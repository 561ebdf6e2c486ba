import { isSameHolder, type Actor } from '../task/actor.ts';
import { alikeAmong } from '../task/alike.ts';
import { isLeaseMs, timeText } from '../task/lease.ts';
import { limits } from '../base/limits.ts';
import type { Asked, LostNeed } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import { isFinal, type Status, type TaskState } from '../task/state.ts';

/** The facts an outsider needs to know what to do about a task: who has it, and until when. */
export function standingDetails(state: TaskState, asked: Asked): Record<string, unknown> {
  return {
    task: state.task,
    status: state.status,
    generation: state.generation,
    holder: state.leg?.holder.name ?? null,
    leaseUntil: state.leg === null ? null : asked.leaseUntil,
    offeredTo: state.offer?.to ?? null,
  };
}

export function refuseFinal(state: TaskState, asked: Asked): StaffettaError | undefined {
  if (!isFinal(state)) return undefined;
  if (state.status === 'elsewhere') return refuseCopy(state);
  return new StaffettaError(
    'wrong-state',
    `Task ${state.task} is ${state.status}; nothing more can happen to it.`,
    {
      details: standingDetails(state, asked),
      hint: 'Open a new task.',
    },
  );
}

/** What lives in another store is decided there; two stores that both decide would have two holders. */
export function refuseCopy({ task, status, away }: TaskState): StaffettaError {
  if (away !== undefined)
    return new StaffettaError('wrong-state', `Task ${task} has moved to ${away}; this is a copy.`, {
      details: { task, status, to: away },
      hint: 'Go on there. If it did not arrive, repeat the command that moved it.',
    });
  return new StaffettaError(
    'wrong-state',
    `Task ${task} lives in another store; this is a copy to read and to fork.`,
    {
      details: { task, status },
      hint: `Go on from it in a task of your own: staffetta fork ${task} --at latest --why WHY`,
    },
  );
}

export function wrongState(state: TaskState, asked: Asked, wanted: string): StaffettaError {
  const who = state.leg === null ? '' : ` by ${state.leg.holder.name}`;
  return new StaffettaError('wrong-state', `Task ${state.task} is ${state.status}${who}; ${wanted}`, {
    details: standingDetails(state, asked),
    hint: `See: staffetta show ${state.task}`,
  });
}

/** The fence: only the current holder, at the generation it was granted. */
export function refuseNonHolder(
  state: TaskState,
  asked: Asked,
  generation: number,
): StaffettaError | undefined {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const leg = state.leg;
  if (generation > state.generation) {
    return new StaffettaError(
      'stale-generation',
      `Task ${state.task} has had no generation ${generation}: ${describeStanding(state, asked)}`,
      {
        details: { ...standingDetails(state, asked), yours: generation },
        hint: 'Give the generation that you were granted when you took it.',
      },
    );
  }
  if (leg === null || generation !== state.generation) {
    const now = describeStanding(state, asked);
    return new StaffettaError(
      'stale-generation',
      `Generation ${generation} of task ${state.task} no longer holds it: ${now}`,
      {
        details: { ...standingDetails(state, asked), yours: generation },
        hint: 'Stop working on this task. Take it again if it is offered to you.',
      },
    );
  }
  const { by } = asked;
  if (!isSameHolder(leg.holder, by)) {
    const otherSession = leg.holder.name === by.name;
    return new StaffettaError(
      'not-holder',
      `Task ${state.task} is held by ${leg.holder.name}, not by ${by.name}${otherSession ? ' in this session' : ''}.`,
      {
        details: standingDetails(state, asked),
        hint: `Only the holder may do this. Leave a message for it: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  return undefined;
}

function describeStanding(state: TaskState, asked: Asked): string {
  if (state.leg !== null) {
    const until = asked.leaseUntil === null ? '' : ` until ${timeText(asked.leaseUntil)}`;
    return `it is at generation ${state.generation}, held by ${state.leg.holder.name}${until}.`;
  }
  if (state.offer !== null)
    return `it is at generation ${state.generation} and offered to ${state.offer.to}.`;
  return `it is ${state.status} at generation ${state.generation}.`;
}

export function refuseUnacknowledged(state: TaskState): StaffettaError | undefined {
  if (state.leg === null || state.leg.acknowledged) return undefined;
  const { name } = state.leg.holder;
  return new StaffettaError('not-acknowledged', `Task ${state.task} was taken but not acknowledged.`, {
    details: { task: state.task, generation: state.generation },
    hint: `Restate goal, gate and next action first: staffetta ack ${state.task} --as ${name} --goal TEXT --gate TEXT --next TEXT`,
  });
}

export function refuseUnknownEffects(state: TaskState): StaffettaError | undefined {
  // One that was announced in this leg and has no receipt is as unknown as one from a leg that died.
  const unknown = state.effects.map((effect) => effect.effect);
  if (unknown.length === 0) return undefined;
  return new StaffettaError(
    'effect-unknown',
    `Nobody knows whether these took place: ${unknown.join(', ')}.`,
    {
      details: { task: state.task, effects: unknown },
      hint: `Find out, then settle each one: staffetta settle ${state.task} EFFECT --done (or --failed)`,
    },
  );
}

export function refuseFull(state: TaskState, count: number, what: string): StaffettaError | undefined {
  if (count < limits.waitingMax) return undefined;
  return new StaffettaError('too-large', `Task ${state.task} already has ${count} ${what} waiting.`, {
    details: { task: state.task, limit: limits.waitingMax },
    hint: 'Deal with some of them first.',
  });
}

/** A list that a person reads. */
export function someOf(words: readonly string[], most = 20): string {
  const rest = words.length - most;
  return rest > 0 ? `${words.slice(0, most).join(', ')} and ${rest} more` : words.join(', ');
}

/** On offer it would only be blocked, and nothing would ever free it. */
export function refuseLost(task: string, lost: readonly LostNeed[] | undefined): StaffettaError | undefined {
  const [first] = lost ?? [];
  if (first === undefined || lost === undefined) return undefined;
  const which = lost
    .slice(0, 20)
    .map(({ need, status }) => `${need}, which is ${status}`)
    .join(', and ');
  return new StaffettaError('needs-unmet', `Task ${task} waits for ${which}: that will never be done.`, {
    details: { task, unmet: lost.map(({ need }) => need), lost },
    hint: `Take it out of the contract, then try again: staffetta amend ${task} --drop-need ${first.need} --why …`,
  });
}

export function refuseLease(leaseMs: number): StaffettaError | undefined {
  if (isLeaseMs(leaseMs)) return undefined;
  return new StaffettaError('invalid-input', `A lease of ${leaseMs} ms is out of range.`, {
    hint: `Choose between ${limits.leaseMsMin} ms and ${limits.leaseMsMax} ms, which is ${limits.leaseMsMax / 3_600_000} hours.`,
  });
}

/** Whom of these an actor is, or was spawned by, or could be taken for: the name it has, and the one it is taken for. */
export function takenFor(
  actor: Actor,
  names: readonly string[],
): { readonly name: string; readonly other: string } | undefined {
  const own = [actor.name, ...(actor.lineage ?? [])];
  const exact = own.find((name) => names.includes(name));
  if (exact !== undefined) return { name: exact, other: exact };
  for (const name of own) {
    const other = alikeAmong(name, names);
    if (other !== undefined) return { name, other };
  }
  return undefined;
}

export function authorReview(
  { task, authors }: TaskState,
  by: Actor,
  { name, other }: { readonly name: string; readonly other: string },
): StaffettaError {
  const details = { task, authors };
  if (name === other) {
    return new StaffettaError(
      'author-review',
      `${by.name} worked on task ${task}, or was spawned by somebody who did, and cannot approve it.`,
      { details, hint: 'Somebody else has to review it.' },
    );
  }
  const spawned = name === by.name ? '' : ` ${by.name} was spawned by ${name}.`;
  return new StaffettaError(
    'author-review',
    `The name ${name} can be confused with ${other}, who worked on task ${task}: it cannot approve it.${spawned}`,
    {
      details: { ...details, name, confusedWith: other },
      hint: 'Somebody else has to review it. If that is somebody else, use a name that cannot be mistaken.',
    },
  );
}

export function isOneOf(status: Status, wanted: readonly Status[]): boolean {
  return wanted.includes(status);
}
