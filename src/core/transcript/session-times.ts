/** When the sessions of a story ran, by their own clocks: a leg may be no more than the sealing of one. */
import type { Story } from './story.ts';

export interface SessionTime {
  /** The leg that brought it; 0 where none is known. */
  readonly generation: number;
  readonly runtime: string;
  readonly session: string;
  readonly model: string | null;
  readonly from: number;
  readonly until: number;
  readonly steps: number;
  /** Tokens that the model wrote, by the program's own figures. */
  readonly written: number;
}

interface Told extends Pick<Story, 'steps' | 'sessions'> {
  readonly legs: readonly { readonly ref: number; readonly generation: number }[];
}

/** One that keeps no times is left out. */
export function sessionTimes({ steps, sessions, legs }: Told): SessionTime[] {
  return sessions.flatMap(({ facts }, place) => {
    const own = steps.filter(({ session }) => session === place);
    const times = own.flatMap(({ at }) => (at === null ? [] : [at]));
    const [first] = own;
    const from = times.reduce((least, at) => Math.min(least, at), facts.startedAt ?? Infinity);
    if (first === undefined || !Number.isFinite(from)) return [];
    return [
      {
        generation: legs.findLast(({ ref }) => ref <= first.ref)?.generation ?? 0,
        runtime: facts.runtime,
        session: facts.session,
        model: facts.model,
        from,
        until: times.reduce((most, at) => Math.max(most, at), from),
        steps: own.length,
        written: own.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0),
      },
    ];
  });
}

export interface Worked {
  readonly from: number;
  readonly until: number;
  /** Of all its sessions, without the time between them. */
  readonly ms: number;
}

/** Null where no session of that leg tells. */
export function workedIn(
  { generation }: { readonly generation: number },
  times: readonly Pick<SessionTime, 'generation' | 'from' | 'until'>[],
): Worked | null {
  const own = times.filter((one) => one.generation === generation);
  if (own.length === 0) return null;
  return {
    from: Math.min(...own.map(({ from }) => from)),
    until: Math.max(...own.map(({ until }) => until)),
    ms: own.reduce((sum, { from, until }) => sum + until - from, 0),
  };
}

/** How long somebody really worked: their sessions' own time where it is known, else how long they held the task. */
export function workedMs(
  leg: { readonly from: number; readonly until: number | null; readonly worked?: Worked | null },
  now: number,
): number {
  const held = (leg.until ?? now) - leg.from;
  if (leg.worked === undefined || leg.worked === null) return held;
  // What is not sealed yet is in no session here.
  return leg.until === null ? Math.max(held, leg.worked.ms) : leg.worked.ms;
}
