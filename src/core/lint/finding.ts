import type { Kind } from '../kind.ts';

export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

/** What is wrong, where, why it matters and how to mend it. Findings are data: the same subject always gives the same list. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** Where: a path into contract, packet or workspace, e.g. `claims.next` or `contract.acceptance`. */
  readonly path: string;
  readonly text: string;
  readonly fix: string;
}

/** A finding before its severity is known. One that is sure of less says how severe it may be at most. */
export type Hit = Pick<Finding, 'path' | 'text' | 'fix'> & { readonly atMost?: Severity };

/** The milder of two. */
export function milder(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) > severities.indexOf(b) ? a : b;
}

/** How severe a rule's hits are by kind of work; kinds not named, and unknown kinds, get `strict`. */
export interface Weight {
  readonly strict: Severity;
  readonly softer?: Readonly<Partial<Record<Kind, Severity>>>;
}
