import type { Lane } from '../../core/task/actor.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { Event } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { load, soundPages } from '../record/load.ts';

/** One stretch of a task in one pair of hands. */
export interface TimelineLeg {
  readonly generation: number;
  readonly agent: string;
  readonly lane: Lane;
  readonly from: number;
  /** Null while it lasts. */
  readonly until: number | null;
  /** How it ended, in one word, and why it changed hands. */
  readonly ended: string | null;
  readonly why: string | null;
  readonly notes: number;
  readonly packets: number;
}

/** Every change of control of a task, in order. */
export async function timeline(context: Context, task: TaskId): Promise<TimelineLeg[]> {
  const { state } = await load(context, task);
  const legs: { -readonly [K in keyof TimelineLeg]: TimelineLeg[K] }[] = [];
  for await (const page of soundPages(context, state)) for (const { entry } of page) addEntry(legs, entry);
  return legs;
}

function addEntry(legs: { -readonly [K in keyof TimelineLeg]: TimelineLeg[K] }[], entry: Entry): void {
  for (const event of entry.events) {
    const leg = legs.at(-1);
    if (event.type === 'leg-started') legs.push(startedLeg(event, entry));
    else if (leg === undefined) continue;
    else if (event.type === 'leg-ended')
      Object.assign(leg, { until: entry.at, ended: event.outcome, why: event.why ?? null });
    else if (event.type === 'leg-lapsed')
      Object.assign(leg, { until: entry.at, ended: 'lapsed', why: 'its lease ran out' });
    else if (event.type === 'checkpoint-sealed') leg.packets += 1;
    else if (isRemark(event)) leg.notes += 1;
  }
}

function startedLeg(event: Extract<Event, { type: 'leg-started' }>, entry: Entry): TimelineLeg {
  return {
    generation: event.generation,
    agent: entry.by.name,
    lane: event.lane,
    from: entry.at,
    until: null,
    ended: null,
    why: null,
    notes: 0,
    packets: 0,
  };
}

function isRemark(event: Event): boolean {
  return (
    event.type === 'note' ||
    event.type === 'decision-made' ||
    event.type === 'decision-raised' ||
    event.type === 'attempt-failed'
  );
}
