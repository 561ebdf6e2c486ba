import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import { limits } from '../base/limits.ts';
import { sameMark, type OpenEffect, type TaskState } from '../task/state.ts';
import { law } from './law.ts';

export function foldLegStarted(state: TaskState, event: EventOf<'leg-started'>, entry: Entry): TaskState {
  law(state.leg === null, 'a task has at most one holder.');
  law(event.generation === state.generation + 1, 'each leg has the next generation.');
  law(
    event.offer === null ? state.offer === null : state.offer?.offer === event.offer,
    'a leg starts from the offer that stands.',
  );
  law(state.unmet.length === 0, 'a task with unmet needs cannot be taken.');
  const offer = state.offer;
  const moved = state.custody === null || !sameMark(state.custody.mark, state.mark);
  // Only a change of hands that somebody chose is a hop; a lapse or a retry is the same leg of the race, run again.
  const hop = offer?.cause === 'handoff';
  const by = entry.by.name;
  // A giver that took its offer back goes on with the leg it had.
  const resumed = offer === null ? state.custody : null;
  return {
    ...state,
    status: 'held',
    generation: event.generation,
    offer: null,
    start: state.start ?? event.start ?? null,
    hops: state.hops + (hop ? 1 : 0),
    idleHops: moved ? 0 : state.idleHops + (hop ? 1 : 0),
    authors: event.lane !== 'audit' && !state.authors.includes(by) ? [...state.authors, by] : state.authors,
    leg: {
      generation: event.generation,
      holder: entry.by,
      lane: event.lane,
      since: entry.at,
      leaseMs: event.leaseMs,
      leaseUntil: event.leaseUntil,
      acknowledged: offer === null,
      received: resumed === null ? state.packet : resumed.received,
      workspace: resumed === null ? (state.sealed?.workspace ?? null) : resumed.workspace,
      from: offer?.cause === 'handoff' ? offer.by : (resumed?.from ?? null),
      mark: resumed?.mark ?? state.mark,
    },
  };
}

export function legAcknowledged(state: TaskState): TaskState {
  law(state.leg !== null, 'only a holder acknowledges.');
  return { ...state, leg: { ...state.leg, acknowledged: true } };
}

/** Ended or lapsed: the task is nobody's until the next event of the same entry says what becomes of it. */
export function legOver(state: TaskState, generation: number): TaskState {
  const leg = state.leg;
  law(leg?.generation === generation, `leg ${generation} is the one that holds the task.`);
  const effects: OpenEffect[] = state.effects.map((effect) => ({ ...effect, unknown: true }));
  return {
    ...state,
    status: 'open',
    leg: null,
    effects,
    custody: {
      generation,
      agent: leg.holder.name,
      kind: leg.holder.kind,
      lane: leg.lane,
      from: leg.from,
      mark: leg.mark,
      received: leg.received,
      workspace: leg.workspace,
    },
  };
}

export function checkpointSealed(state: TaskState, event: EventOf<'checkpoint-sealed'>): TaskState {
  law(event.parent === state.packet, 'a packet continues the latest one.');
  const workspace = event.workspace ?? state.mark.workspace;
  return {
    ...state,
    packet: event.packet,
    packets: state.packets + 1,
    sealed: {
      certification: event.certification,
      findings: event.findings ?? null,
      workspace: event.workspace ?? null,
    },
    demands: [...new Set([...state.demands, ...(event.demands ?? [])])].slice(0, limits.listItemsMax),
    mark: { ...state.mark, workspace },
  };
}
