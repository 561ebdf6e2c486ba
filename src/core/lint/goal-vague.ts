/**
 * A goal is exact if a stranger could tell at the end whether it was reached: it names something that can be seen, and what is to be
 * seen of it. Stated criteria, in this order:
 *   1. it names two or more anchors (see anchors.ts): exact
 *   2. it names one anchor and two concrete words (see goal-words.ts), or begins with no such verb as in 5 and 6: exact
 *   3. it is in a language that the lists do not know: exact if it has at least four words, or ten characters of a script without
 *      spaces; otherwise perhaps vague
 *   4. it has no concrete word, or at least as many words of praise: vague
 *   5. it begins with a word that never says how far ("improve", "continue"): vague with up to two concrete words, perhaps with more
 *   6. it begins with a verb that needs more to say so ("fix", "keep", "reduce") and has fewer than two concrete words: vague
 *   7. it has fewer than two concrete words, or fewer than four words, or two concrete words beside praise or without anything that
 *      happens: perhaps vague
 *   8. otherwise: exact
 * What is vague is an error; what perhaps is, a warning.
 */
import { anchorsIn, wordsIn } from './anchors.ts';
import { asSeen } from './as-seen.ts';
import type { Severity } from './finding.ts';
import { isEnglish, readGoal } from './goal-words.ts';
import type { Rule } from './rule.ts';

export function vaguenessOf(given: string): Extract<Severity, 'error' | 'warning'> | undefined {
  const goal = asSeen(given);
  const anchors = anchorsIn(goal);
  const words = readGoal(goal);
  if (anchors >= 2) return undefined;
  if (anchors === 1 && (words.concrete >= 2 || words.head === 'other') && words.all >= 3) return undefined;
  if (!isEnglish(goal)) return isLong(goal) ? undefined : 'warning';
  if (words.praise >= words.concrete) return 'error';
  if (words.head !== 'other' && words.concrete < 2) return 'error';
  if (words.head === 'open') return words.concrete < 3 ? 'error' : 'warning';
  if (words.concrete < 2 || words.all < 4) return 'warning';
  const isThin = !words.happens || (words.head === 'maybe' && words.praise > 0);
  return words.concrete === 2 && isThin ? 'warning' : undefined;
}

function isLong(text: string): boolean {
  return (
    wordsIn(text) >= 4 ||
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text) &&
      text.trim().length >= 10)
  );
}

export const goalVague: Rule = {
  id: 'goal-vague',
  title: 'The goal names an end state that a stranger could check',
  about: 'contract',
  weight: { strict: 'error', softer: { research: 'warning' } },
  check({ contract }) {
    const atMost = vaguenessOf(contract.goal);
    if (atMost === undefined) return [];
    return [
      {
        path: 'contract.goal',
        text: 'The goal does not say what will be true at the end.',
        fix: 'Name the behaviour, file, command or figure that shows it is reached.',
        atMost,
      },
    ];
  },
};
