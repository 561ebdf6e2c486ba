/**
 * How people and agents say what a successor must know: more than fifty ways for each of nine kinds. The rules were made with the first
 * forty of each at hand (`tuned`). Twelve more (`heldOut`) were written when the rules stood, but the rules were changed again since,
 * with them in view. `fresh` are the sentences of `fresh-messages.ts`, for which no rule was changed. `{…}` are
 * filled from `slots.ts`.
 */
import { agentPhrasings } from './agent-phrasings.ts';
import { freshMessages } from './fresh-messages.ts';
import { userPhrasings } from './user-phrasings.ts';

export const kinds = [
  'goal',
  'acceptance',
  'constraint',
  'non-goal',
  'reviewer',
  'dead-end',
  'decision',
  'blocker',
  'next',
] as const;
export type Kind = (typeof kinds)[number];
export type Half = 'tuned' | 'heldOut';
export type Written = Half | 'fresh';

export const byUser: ReadonlySet<Kind> = new Set([
  'goal',
  'acceptance',
  'constraint',
  'non-goal',
  'reviewer',
]);

export const phrasings: Readonly<Record<Kind, Readonly<Record<Half, readonly string[]>>>> = {
  ...userPhrasings,
  ...agentPhrasings,
};

export function phrasingsOf(kind: Kind, written: Written): readonly string[] {
  if (written !== 'fresh') return phrasings[kind][written];
  return freshMessages[kind].flatMap((text) => /«([^»]*)»/.exec(text)?.[1] ?? []);
}
