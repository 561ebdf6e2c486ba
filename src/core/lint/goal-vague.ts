/**
 * A goal is exact if a stranger could tell at the end whether it was reached. Stated criteria, in this order:
 *   1. fewer than four words: vague
 *   2. it names two or more anchors (see anchors.ts): exact
 *   3. it speaks of motion without an end ("keep moving", "improve") and names no anchor: vague
 *   4. it describes a state and either names an anchor or has at least eight words: exact
 *   5. it names an anchor and does not speak of motion: exact
 *   6. otherwise: vague
 */
import { anchorsIn, describesState, isMotion, wordsIn } from './anchors.ts';
import type { Rule } from './rule.ts';

export function isVagueGoal(goal: string): boolean {
  const words = wordsIn(goal);
  const anchors = anchorsIn(goal);
  if (words < 4) return true;
  if (anchors >= 2) return false;
  if (isMotion(goal) && anchors === 0) return true;
  if (describesState(goal) && (anchors > 0 || words >= 8)) return false;
  return !(anchors > 0 && !isMotion(goal));
}

export const goalVague: Rule = {
  id: 'goal-vague',
  title: 'The goal names an end state that a stranger could check',
  about: 'contract',
  weight: { strict: 'error', softer: { research: 'warning' } },
  check: ({ contract }) =>
    isVagueGoal(contract.goal)
      ? [
          {
            path: 'contract.goal',
            text: 'The goal does not say what will be true at the end.',
            fix: 'Name the behaviour, file, command or figure that shows it is reached.',
          },
        ]
      : [],
};
