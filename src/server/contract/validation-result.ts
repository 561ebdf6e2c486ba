/** How a command of a task's contract last ended; part of the server's contract. */
import * as z from 'zod/mini';

export const ValidationResult = z.object({
  run: z.array(z.string()),
  name: z.nullable(z.string()),
  outcome: z.nullable(z.enum(['passed', 'failed'])),
  standing: z.enum(['bound', 'stale', 'unknown', 'not-run']),
  at: z.nullable(z.int()),
  exit: z.nullable(z.int()),
});
