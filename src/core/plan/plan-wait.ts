/** Why a task of a plan is not worked on: for whom or what it waits, and until when. */

export type WaitKind =
  | 'needs'
  | 'lost-need'
  | 'phase'
  | 'time'
  | 'person'
  | 'start'
  | 'queue'
  | 'paused'
  | 'turn'
  | 'paths'
  | 'slots'
  | 'agent'
  | 'lane'
  | 'runtime'
  | 'account'
  | 'route'
  | 'routing'
  | 'nobody';

export interface PlanWait {
  readonly task: string;
  readonly on: WaitKind;
  /** Tasks, agents, programs, accounts, a lane or a phase: what the kind says. */
  readonly who: readonly string[];
  /** Null where no time is known. */
  readonly until: number | null;
  /** Somebody's words, where they say more. */
  readonly why?: string;
}

/** Nobody outside has to do anything. */
export function endsByItself({ on, until }: PlanWait): boolean {
  return until !== null || on === 'queue' || on === 'routing';
}

/** Only a person moves it. */
export const forPeople: ReadonlySet<WaitKind> = new Set(['person', 'start', 'route', 'lost-need', 'nobody']);

const shownMax = 3;

/** A sentence without its subject; `at` says a time in the words of its reader. */
export function waitWords(wait: PlanWait, at?: (time: number) => string): string {
  const words = wordsFor(wait);
  const isKnown = wait.until !== null && Number.isFinite(wait.until);
  return !isKnown || at === undefined ? words : `${words} until ${at(wait.until)}`;
}

function wordsFor({ on, who, why }: PlanWait): string {
  const names = namesOf(who);
  switch (on) {
    case 'needs':
      return `waits for ${names}`;
    case 'lost-need':
      return `waits in vain for ${names}: drop the need, or open it again`;
    case 'phase':
      return `waits for the phase ${names}`;
    case 'time':
      return 'rests';
    case 'person':
      return `waits for a person${why === undefined ? '' : `: ${why}`}`;
    case 'start':
      return 'waits for a person: nobody has said that it should start';
    case 'queue':
      return 'waits to be integrated';
    case 'paused':
      return `waits while the run is paused${why === undefined ? '' : `: ${why}`}`;
    case 'turn':
      return `waits for its turn after ${names}`;
    case 'paths':
      return `waits for ${names} to be done with the same files`;
    case 'slots':
      return `waits for one of ${names} to end`;
    case 'agent':
      return `waits for agent ${names}`;
    case 'lane':
      return `waits for room in the lane ${names}`;
    case 'runtime':
      return `waits for room in ${names}`;
    case 'account':
      return `waits for the account ${names}, which is exhausted`;
    case 'route':
      return `waits for a person to give it to an agent: ${why ?? 'no rule names one'}`;
    case 'routing':
      return 'waits to be given to an agent';
    case 'nobody':
      return `waits for somebody who may work on it: ${why ?? 'there is nobody'}`;
  }
}

function namesOf(who: readonly string[]): string {
  const more = who.length - shownMax;
  const shown = who.slice(0, shownMax);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
