import { describe, expect, test } from 'vitest';
import { rules } from '../../src/core/lint.ts';
import { packetAgreements, rulesOn, stillWrong, wordAgreements } from './agreement.ts';
import * as labelled from './labels.ts';
import { packets } from './packets.ts';

describe('rules that judge wording', () => {
  for (const { rule, set, precision, recall, falseErrors, wrong } of wordAgreements()) {
    test(`${rule} agrees with a careful reader on ${set}: precision and recall of at least 0.9`, () => {
      expect(precision, `too eager or too lenient: ${wrong.join(' | ')}`).toBeGreaterThanOrEqual(0.9);
      expect(recall, `too eager or too lenient: ${wrong.join(' | ')}`).toBeGreaterThanOrEqual(0.9);
    });

    test(`${rule} refuses at most one in fifty honest ones of the ${set}`, () => {
      expect(falseErrors, `it objects wrongly: ${wrong.join(' | ')}`).toBeLessThanOrEqual(0.02);
    });
  }

  test('what was once judged wrongly is judged as a careful reader does', () => {
    expect(stillWrong()).toEqual([]);
  });

  test.each(wordAgreements().filter(({ set }) => set === 'held-out sentences'))(
    'at least forty sentences were held out for $rule, and each verdict has a good share of them',
    ({ labels, objections }) => {
      expect(labels).toBeGreaterThanOrEqual(40);
      expect(Math.abs(objections / labels - 0.5)).toBeLessThan(0.1);
    },
  );

  test('the labelled goals number at least sixty, half of each', () => {
    expect(labelled.goals.length).toBeGreaterThanOrEqual(60);
    expect(labelled.goals.filter((label) => label.objects)).toHaveLength(labelled.goals.length / 2);
  });
});

describe('labelled packets', () => {
  test('number at least forty, half of them sound, and name rules that exist', () => {
    expect(packets.length).toBeGreaterThanOrEqual(40);
    expect(packets.filter(({ objects }) => objects.length === 0)).toHaveLength(packets.length / 2);
    const known = new Set(rules.map(({ id }) => id));
    expect(packets.flatMap(({ objects }) => objects).filter((id) => !known.has(id))).toEqual([]);
  });

  test('a sound one is not held up by any rule', () => {
    const held = packets.filter((label) => label.objects.length === 0 && rulesOn(label).size > 0);
    expect(held.map(({ title }) => title)).toEqual([]);
  });

  test('every rule they speak of agrees with a careful reader at least nine times of ten', () => {
    const poor = packetAgreements().filter(({ precision, recall }) => !(precision >= 0.9 && recall >= 0.9));
    expect(poor).toEqual([]);
  });
});
