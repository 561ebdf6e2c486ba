import { limits } from './limits.ts';

/**
 * A lease says how long silence is believed. It bounds waiting, not authority: a holder keeps the task past its lease
 * until somebody records the lapse, and from then on its generation is stale. Clocks therefore decide how soon
 * work moves on, never who owns it.
 */
export function leaseUntil(now: number, leaseMs: number): number {
  return now + leaseMs;
}

export function isExpired(until: number, now: number): boolean {
  return until < now;
}

export function isLeaseMs(value: number): boolean {
  return Number.isSafeInteger(value) && value >= limits.leaseMsMin && value <= limits.leaseMsMax;
}

/** Renew this often: two renewals may be lost before the lease runs out. */
export function renewEveryMs(leaseMs: number): number {
  return Math.max(1, Math.floor(leaseMs / 3));
}
