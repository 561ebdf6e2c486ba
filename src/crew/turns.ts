/**
 * One turn of an agent, watched: how long it may take, how long nothing may be seen of it, and who else may want it to stop. Progress has a
 * clock of its own; the lease only says that this process lives.
 */
import { idle } from '../handoff/record/keep-lease.ts';
import type { Clock } from '../ports/clock.ts';
import type { LegSign, LegUsage, OpenLeg, TurnEnd } from '../ports/runner.ts';

export interface TurnLimits {
  readonly legMs?: number | undefined;
  readonly stallMs?: number | undefined;
  /** When the task has been worked on for as long as its contract allows. */
  readonly until?: number | undefined;
}

/** Why a turn was stopped by us. */
export type StopReason = 'timeout' | 'stalled' | 'lost' | 'told';

export interface WatchedTurn {
  readonly end: TurnEnd;
  readonly stopped: StopReason | null;
}

/** What is seen of a leg, from its first turn on. */
export class LegSigns {
  readonly #clock: Clock;
  #since: number | undefined;
  #seenAt: number;
  #isSilent = true;
  #words = '';
  #usage: LegUsage = {};
  #noise = 0;
  readonly #asked: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#seenAt = clock.now();
  }

  /** What was done for the leg before, such as setting a tree up or proving what was handed in, is no silence of the agent. */
  beginTurn(): void {
    this.#seenAt = this.#clock.now();
    this.#since ??= this.#seenAt;
    this.#isSilent = true;
  }

  readonly see = (sign: LegSign): void => {
    // What nobody understands is no progress: a flood of it would look alive for ever.
    if (sign.kind === 'noise') {
      this.#noise += 1;
      return;
    }
    this.#seenAt = this.#clock.now();
    this.#isSilent = false;
    if (sign.kind === 'usage') this.#usage = { ...this.#usage, ...sign.usage };
    else if (sign.kind !== 'life') this.#words = sign.text;
  };

  /** While somebody is asked, the agent cannot go on: that is no stall. */
  async asking<T>(what: string, answer: Promise<T>): Promise<T> {
    this.#asked.push(what);
    try {
      return await answer;
    } finally {
      this.#asked.splice(this.#asked.indexOf(what), 1);
      this.#seenAt = this.#clock.now();
    }
  }

  get since(): number {
    return this.#since ?? this.#seenAt;
  }

  /** Nothing was seen in this turn. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  get seenAt(): number {
    return this.#seenAt;
  }

  /** What a person has to allow before it goes on; null where nothing is asked. */
  get asked(): string | null {
    return this.#asked[0] ?? null;
  }

  /** The last line of what it said or does. */
  get words(): string {
    return this.#words;
  }

  get usage(): LegUsage {
    return this.#usage;
  }

  get noise(): number {
    return this.#noise;
  }
}

export interface TurnWatch {
  readonly clock: Clock;
  readonly limits: TurnLimits;
  readonly signs: LegSigns;
  /** The leg is over, or a person wants it to end. */
  readonly lost: AbortSignal;
  readonly told: AbortSignal;
}

/** Never rejects: an agent that cannot be stopped is ended when its leg is closed. */
export async function watchTurn(open: OpenLeg, prompt: string, watch: TurnWatch): Promise<WatchedTurn> {
  const halt = new AbortController();
  const wake = (): void => halt.abort('the turn is over');
  const ends = [watch.lost, watch.told];
  // Not as one signal of several: Node keeps what it makes for that when all of them are gone, 3 kB for each turn.
  for (const end of ends) end.addEventListener('abort', wake);
  watch.signs.beginTurn();
  const turn = open.turn(prompt).finally(wake);
  const stopped = await Promise.race([turn.then(() => null), reasonToStop(watch, halt.signal)]);
  for (const end of ends) end.removeEventListener('abort', wake);
  if (stopped !== null) await open.stop();
  return { end: await turn, stopped };
}

async function reasonToStop(
  { clock, limits, signs, lost, told }: TurnWatch,
  halt: AbortSignal,
): Promise<StopReason | null> {
  for (;;) {
    if (lost.aborted) return 'lost';
    if (told.aborted) return 'told';
    if (halt.aborted) return null;
    const now = clock.now();
    const legLeft = Math.min(
      (limits.legMs ?? Infinity) - (now - signs.since),
      (limits.until ?? Infinity) - now,
    );
    const stallLeft =
      signs.asked !== null ? Infinity : (limits.stallMs ?? stallMsDefault) - (now - signs.seenAt);
    if (legLeft <= 0) return 'timeout';
    if (stallLeft <= 0) return 'stalled';
    await idle({ clock }, Math.min(legLeft, stallLeft, lookMs), halt);
  }
}

/** Of programs that were measured none is silent for longer at work, but for a command that says nothing; and one that hangs is found the same day. */
const stallMsDefault = 30 * 60_000;
/** Whether somebody is asked is not told by a timer. */
const lookMs = 60_000;
