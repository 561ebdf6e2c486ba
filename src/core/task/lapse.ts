/** What *expired*, *lapsed* and *resting* mean, everywhere: in decisions, stores, lists, alerts and pages. Nothing is imported: the pages use it too. */

/** The longest lease that there is; see `limits`. */
export const leaseMsMax = 24 * 60 * 60 * 1000;

/** A lease, an offer or a deadline counts up to its last millisecond. Where SQL has to say it too, CA2 holds it to the same one. */
export function isExpired(until: number, now: number): boolean {
  return until < now;
}

/**
 * Further ahead than any lease may reach. It was set by a clock that is ahead of this one, so it says nothing about how long its
 * holder may be silent, and to wait for it could take years.
 */
export function isFarAhead(until: number, now: number): boolean {
  return until > now + leaseMsMax;
}

/** A lease that is further ahead than any may be is not believed, unless this clock is behind the journal and may itself be the wrong one. */
export function isDisbelieved(
  { until, updatedAt }: { readonly until: number; readonly updatedAt: number },
  now: number,
): boolean {
  return isFarAhead(until, now) && now >= updatedAt;
}

export interface HeldCard {
  readonly status: string;
  readonly leaseUntil: number | null;
  readonly updatedAt: number;
}

/** Its holder has the task only in name, whether somebody has recorded that or not: its lease is over, or not believed. */
export function isLapsed({ status, leaseUntil: until, updatedAt }: HeldCard, now: number): boolean {
  if (status !== 'held' || until === null) return false;
  return isExpired(until, now) || isDisbelieved({ until, updatedAt }, now);
}

/** Until then nobody may take an offer, and in that millisecond somebody may. */
export function isResting(notBefore: number | null | undefined, now: number): notBefore is number {
  return typeof notBefore === 'number' && now < notBefore;
}

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** A pause of which nobody said until when: it is over when somebody continues the work. */
export const pausedMs = 10 * yearMs;

/** It rests so long that its end is no time to tell anybody. */
export function isPausedForGood(notBefore: number, now: number): boolean {
  return notBefore > now + yearMs;
}
