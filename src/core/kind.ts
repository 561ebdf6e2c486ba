/**
 * Kinds of work, and what the gate asks of each. A kind is what a contract says it is; a word that is not listed, or no word at
 * all, gets the strictest rules. Kinds only ever lower a finding from error to warning: nothing is switched off.
 */
export const kinds = ['code', 'research', 'docs', 'review', 'ops', 'data'] as const;
export type Kind = (typeof kinds)[number];

export function kindOf(given: string | undefined): Kind | 'unknown' {
  const word = given?.trim().toLowerCase();
  return kinds.find((kind) => kind === word) ?? 'unknown';
}
