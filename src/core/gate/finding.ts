export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

/** What is wrong, where, why it matters and how to mend it. Findings are data: the same subject always gives the same list. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** Where: the field of contract, packet or workspace, e.g. `claims.next` or `contract.acceptance`. Edges name it in their own words. */
  readonly path: string;
  readonly text: string;
  /** In the words of no edge: no option, argument or command. */
  readonly fix: string;
}

/** A finding before its severity is known. One that is sure of less says how severe it may be at most. */
export type RuleHit = Pick<Finding, 'path' | 'text' | 'fix'> & { readonly atMost?: Severity };

/** The milder of two. */
export function milder(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) > severities.indexOf(b) ? a : b;
}

const placeholders = { losses: 'PATH', runs: 'RUN' } as const;

/** A way to mend a finding, with the path or the run that it is about in the place of `PATH` or `RUN`. */
export function aboutIt(way: string | undefined, path: string): string | undefined {
  const [, list, one] = /^(losses|runs)\.(.*)$/s.exec(path) ?? [];
  if (list === undefined || one === undefined) return way;
  return way?.replace(placeholders[list as keyof typeof placeholders], () => one);
}
