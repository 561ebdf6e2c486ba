import * as z from 'zod/mini';

/** Between two calls of a coding agent lie a build, a test run or a long thought: as for the commands. */
const leaseMinutesDefault = 30;

export const leaseArgument = z.optional(
  z
    .int()
    .check(
      z.minimum(1),
      z.maximum(24 * 60),
      z.describe(`How long you may be silent (${leaseMinutesDefault})`),
    ),
);

export function leaseOfMinutes(minutes: number | undefined): number {
  return (minutes ?? leaseMinutesDefault) * 60_000;
}
