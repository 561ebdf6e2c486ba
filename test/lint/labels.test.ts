import { describe, expect, test } from 'vitest';
import { isVagueGoal } from '../../src/core/lint/goal-vague.ts';
import { isImperative } from '../../src/core/lint/imperative-in-data.ts';
import { nextFault } from '../../src/core/lint/next-action.ts';
import { claimsNoChanges } from '../../src/core/lint/no-changes-contradicted.ts';
import { hasPlaceholder } from '../../src/core/lint/placeholder-text.ts';
import { claimsSuccess } from '../../src/core/lint/tests-unproven.ts';
import * as labelled from './labels.ts';

const judged: readonly (readonly [string, readonly labelled.Label[], (text: string) => boolean])[] = [
  ['goal-vague', labelled.goals, isVagueGoal],
  ['next-action', labelled.nexts, (text) => nextFault(text) !== undefined],
  ['placeholder-text', labelled.placeholders, hasPlaceholder],
  ['tests-unproven', labelled.successes, claimsSuccess],
  ['no-changes-contradicted', labelled.unchanged, claimsNoChanges],
  ['imperative-in-data', labelled.imperatives, isImperative],
];

describe('rules that judge wording', () => {
  for (const [rule, labels, objects] of judged) {
    test(`${rule} agrees with a careful reader: precision and recall of at least 0.9`, () => {
      const hits = labels.filter(({ text }) => objects(text));
      const right = hits.filter((label) => label.objects).length;
      const precision = right / hits.length;
      const recall = right / labels.filter((label) => label.objects).length;
      const wrong = labels.filter((label) => objects(label.text) !== label.objects).map(({ text }) => text);
      expect(precision, `too eager or too lenient: ${wrong.join(' | ')}`).toBeGreaterThanOrEqual(0.9);
      expect(recall, `too eager or too lenient: ${wrong.join(' | ')}`).toBeGreaterThanOrEqual(0.9);
    });
  }

  test('the labelled goals number at least sixty, half of each', () => {
    expect(labelled.goals.length).toBeGreaterThanOrEqual(60);
    expect(labelled.goals.filter((label) => label.objects)).toHaveLength(labelled.goals.length / 2);
  });
});
