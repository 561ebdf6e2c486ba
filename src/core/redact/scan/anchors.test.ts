import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFinder, untabledBytesMax, type Anchor } from './anchors.ts';
import { runs } from '../../../../test/property/seed.ts';

/** As they are found in the first bytes that are searched, which is as they are found in later ones. */
function places(anchors: readonly Anchor[], text: string, from = 0, to = text.length): string[] {
  const find = createFinder(anchors);
  const bytes = Buffer.from(text, 'latin1');
  const hits = find(bytes, from, to);
  find(Buffer.alloc(untabledBytesMax), 0, untabledBytesMax);
  expect(find(bytes, from, to)).toEqual(hits);
  return hits.at.map((at, i) => `${at}:${anchors[hits.anchor[i] ?? -1]?.literal}`);
}

const exact = (literal: string): Anchor => ({ literal, fold: false });
const folded = (literal: string): Anchor => ({ literal, fold: true });

test('every place of every literal is found, in order', () => {
  expect(places([exact('abc'), exact('cab')], 'abcabc')).toEqual(['0:abc', '2:cab', '3:abc']);
});

test('case matters unless the anchor is folded', () => {
  expect(places([exact('Key')], 'key Key KEY')).toEqual(['4:Key']);
  expect(places([folded('key')], 'key Key KEY')).toEqual(['0:key', '4:key', '8:key']);
});

test('signs are not folded: an underscore is no other character', () => {
  expect(places([folded('a_b')], 'a_b A_B a\u007fb')).toEqual(['0:a_b', '4:a_b']);
});

test('one literal inside another is found beside it', () => {
  expect(places([exact('token'), exact('oke')], 'token')).toEqual(['0:token', '1:oke']);
});

test('a literal counts only if it lies wholly within the part searched', () => {
  expect(places([exact('abcd')], 'abcdabcd', 1, 8)).toEqual(['4:abcd']);
  expect(places([exact('abcd')], 'abcdabcd', 0, 7)).toEqual(['0:abcd']);
});

test('what starts at one place comes in the order of the anchors, however much is searched', () => {
  expect(places([folded('bbb'), folded('BBb')], 'BBB')).toEqual(['0:bbb', '0:BBb']);
});

test('bytes beyond ASCII are bytes like any other', () => {
  expect(places([exact('\u00e9\u00e9x')], 'a\u00e9\u00e9x')).toEqual(['1:\u00e9\u00e9x']);
});

test('the outcome is that of searching for each literal by itself', () => {
  const letter = fc.constantFrom('a', 'b', 'A', 'B', '_', '-');
  const word = fc.string({ unit: letter, minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ literal: word, fold: fc.boolean() }), { maxLength: 6 }),
      fc.string({ unit: letter }),
      (anchors, text) => {
        const naive = anchors.flatMap(({ literal, fold }) => {
          const same = (value: string): string => (fold ? value.toLowerCase() : value);
          return Array.from({ length: text.length }, (_, at) => at)
            .filter((at) => same(text.slice(at, at + literal.length)) === same(literal))
            .map((at) => `${at}:${literal}`);
        });
        expect(places(anchors, text).toSorted()).toEqual(naive.toSorted());
      },
    ),
    runs(100),
  );
});
