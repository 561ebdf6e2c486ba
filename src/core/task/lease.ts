import { limits } from '../base/limits.ts';

/**
 * A lease says how long silence is believed. It bounds waiting, not authority: a holder keeps the task past its lease
 * until somebody records the lapse, and from then on its generation is stale. Clocks therefore decide how soon
 * work moves on, never who owns it.
 */
export function leaseUntil(now: number, leaseMs: number): number {
  return now + leaseMs;
}

/** For messages. A damaged or absurd time has no date. */
export function timeText(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms after 1970`;
}

export function isLeaseMs(value: number): boolean {
  return Number.isSafeInteger(value) && value >= limits.leaseMsMin && value <= limits.leaseMsMax;
}

/** When a leg began by the clock of the process that took it, which may be before the time of its entry. */
export function legBegan(leg: {
  readonly since: number;
  readonly leaseUntil: number;
  readonly leaseMs: number;
}): number {
  return Math.min(leg.since, leg.leaseUntil - leg.leaseMs);
}

/** Renew this often: two renewals may be lost before the lease runs out. */
export function renewEveryMs(leaseMs: number): number {
  return Math.max(1, Math.floor(leaseMs / 3));
}
