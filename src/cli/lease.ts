import type { Values } from './spec.ts';
import { parseDuration } from './duration.ts';
import { text } from './values.ts';

/**
 * Between two commands of a coding agent lie a build, a test run, a long thought or a person's coffee: minutes. A worker of the
 * library renews its lease by itself and keeps the library's shorter default.
 */
export const leaseMsDefault = 30 * 60_000;

export function leaseFrom(values: Values): number {
  const given = text(values, 'lease');
  return given === undefined ? leaseMsDefault : parseDuration(given, 'lease');
}
