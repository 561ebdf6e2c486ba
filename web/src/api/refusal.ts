import type * as z from 'zod/mini';
import type { Problem } from '../../../src/server/contract/contract.ts';

export type ProblemDetails = z.infer<typeof Problem>;

/** What the server would not do, in its own words. */
export class Refusal extends Error {
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(problem.detail);
    this.name = 'Refusal';
    this.problem = problem;
  }
}

/** A server that is gone, or something between here and it that answers in its place. */
export function unreachable(cause: string): Refusal {
  return new Refusal({
    type: 'about:blank',
    title: 'Unreachable',
    status: 0,
    code: 'unreachable',
    detail: `The server does not answer: ${cause}.`,
    retryable: true,
    hint: 'Is it still running? Start it with: staffetta up',
  });
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return unreachable(error instanceof Error ? error.message : String(error));
}
