import * as z from 'zod/mini';
import { limits } from '../core/base/limits.ts';

const minuteMs = 60_000;

export const leaseArgument = z.optional(
  z
    .int()
    .check(
      z.minimum(1),
      z.maximum(24 * 60),
      z.describe(`How long you may be silent (${limits.sessionLeaseMs / minuteMs})`),
    ),
);

export function leaseOfMinutes(minutes: number | undefined): number {
  return minutes === undefined ? limits.sessionLeaseMs : minutes * minuteMs;
}
