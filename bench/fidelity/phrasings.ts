/**
 * How people and agents say what a successor must know: more than fifty ways for each of nine kinds. The rules were made with the first
 * forty of each at hand (`tuned`). Twelve more (`heldOut`) were written when the rules stood, but the rules were changed again since,
 * with them in view. `late` and `fresh` are the sentences of `late-messages.ts`, `later-messages.ts` and `fresh-messages.ts`: for
 * the last no rule was changed. `{…}` are filled from `slots.ts`.
 */
import { agentPhrasings } from './agent-phrasings.ts';
import { freshMessages } from './fresh-messages.ts';
import { lateMessages } from './late-messages.ts';
import { laterMessages } from './later-messages.ts';
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
export type Written = Half | 'late' | 'fresh';

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
  if (written === 'tuned' || written === 'heldOut') return phrasings[kind][written];
  const messages: readonly string[] =
    written === 'late' ? [...lateMessages[kind], ...laterMessages[kind]] : freshMessages[kind];
  return messages.flatMap((text) => /«([^»]*)»/.exec(text)?.[1] ?? []);
}
