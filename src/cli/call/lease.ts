import { isLeaseMs } from '../../core/task/lease.ts';
import { limits } from '../../core/base/limits.ts';
import { formatDuration, parseDuration } from '../frame/duration.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text } from '../frame/values.ts';

export function parseLease(given: string): number {
  const ms = parseDuration(given, 'lease');
  if (isLeaseMs(ms)) return ms;
  throw new UsageError(
    `--lease takes ${formatDuration(limits.leaseMsMin)} to ${formatDuration(limits.leaseMsMax)}, not ${JSON.stringify(given)}.`,
    'A lease bounds how long silence is believed. A holder that works longer extends it with: staffetta renew',
  );
}

export function leaseFrom(values: Values): number {
  const given = text(values, 'lease');
  return given === undefined ? limits.sessionLeaseMs : parseLease(given);
}
