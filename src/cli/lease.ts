import { isLeaseMs } from '../core/lease.ts';
import { limits } from '../core/limits.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Values } from './spec.ts';
import { UsageError } from './usage.ts';
import { text } from './values.ts';

/**
 * Between two commands of a coding agent lie a build, a test run, a long thought or a person's coffee: minutes. A worker of the
 * library renews its lease by itself and keeps the library's shorter default.
 */
export const leaseMsDefault = 30 * 60_000;

export function parseLease(given: string): number {
  const ms = parseDuration(given, 'lease');
  if (isLeaseMs(ms)) return ms;
  throw new UsageError(
    `--lease takes ${formatDuration(limits.leaseMsMin)} to ${formatDuration(limits.leaseMsMax)}, not ${JSON.stringify(given)}.`,
    'A lease bounds how long silence is believed. Whoever works longer extends it with: staffetta renew',
  );
}

export function leaseFrom(values: Values): number {
  const given = text(values, 'lease');
  return given === undefined ? leaseMsDefault : parseLease(given);
}
