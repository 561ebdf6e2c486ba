/**
 * How people and agents say what a successor must know: more than fifty ways for each of nine kinds. The rules were made with the first
 * forty of each at hand (`tuned`). The other twelve (`heldOut`) were written when the rules stood, and no rule was changed for
 * them; what is reported is measured on those. `{…}` are filled from `slots.ts`.
 */
import { agentPhrasings } from './agent-phrasings.ts';
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
