import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentCues, agentGates, concluding } from './agent-cues.ts';
import { narration, outright, reported, turning } from './narration.ts';
import type { Sign } from './kinds.ts';
import { patternOf, type Pattern } from './pattern.ts';
import { sieveOf } from './sieve.ts';
import { userCues } from './user-cues.ts';

const ofUsers = userCues.map(({ sign }) => sign);
const ofAgents = [
  ...agentCues.map(({ sign }) => sign),
  ...agentGates.values(),
  narration,
  outright,
  reported,
  turning,
  ...concluding.map(([, sign]) => sign),
];

/** Something that a pattern takes; what must not follow is left to chance. */
function sample(pattern: Pattern, pick: (below: number) => number): string {
  switch (pattern.of) {
    case 'letter':
      return pattern.letters?.[pick(pattern.letters.length)] ?? 'x7 ,:A'.charAt(pick(6));
    case 'word':
      return 'ab_9Z'.charAt(pick(5));
    case 'blank':
      return ' ,;'.charAt(pick(3));
    case 'edge':
      return '';
    case 'look':
      return pattern.at === null ? '' : sample(pattern.at, pick);
    case 'all':
      return pattern.parts.map((part) => sample(part, pick)).join('');
    case 'any':
      return sample(pattern.parts[pick(pattern.parts.length)] as Pattern, pick);
    case 'times':
      return Array.from({ length: pattern.min + pick(Math.min(3, pattern.max - pattern.min + 1)) }, () =>
        sample(pattern.part, pick),
      ).join('');
  }
}

function leaves(sign: Sign): RegExp[] {
  if (sign instanceof RegExp) return [sign];
  return [...(sign.any ?? []), ...(sign.within ?? [])].flatMap(leaves);
}

function picking(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each([
  ['users', ofUsers, false],
  ['agents', ofAgents, true],
] as const)('a sieve of the signs of %s', (_name, signs, lowered) => {
  const sieve = sieveOf(signs, { lowered });
  const patterns = [...new Set(signs.flatMap(leaves))].map((sign) => ({ sign, pattern: patternOf(sign) }));

  function differences(given: string): string[] {
    const text = lowered ? given.toLowerCase() : given;
    sieve.look(text);
    return signs
      .filter((sign) => sieve.has(sieve.numberOf(sign)) !== sign.test(text))
      .map((sign) => `${text}: ${leaves(sign).map(String).join(' ')}`);
  }

  test('knows the structure of every one of them', () => {
    expect(patterns.filter(({ pattern }) => pattern === null)).toEqual([]);
  });

  test('finds what trying each of them finds, in texts made from each', () => {
    let had = 0;
    for (const [i, { sign, pattern }] of patterns.entries())
      for (let n = 0; n < 60; n += 1) {
        const pick = picking(i * 1000 + n);
        const made = pattern === null ? '' : sample(pattern, pick);
        const text = [made, `So ${made} there`, `${made.toUpperCase()}.`][n % 3] ?? made;
        if (sign.test(lowered ? text.toLowerCase() : text)) had += 1;
        expect(differences(text)).toEqual([]);
      }
    // Or nothing was tried.
    expect(had).toBeGreaterThan(patterns.length * 20);
  });

  test('finds the same in pieces of such texts, in any order', () => {
    const piece = fc.tuple(fc.nat(patterns.length - 1), fc.nat(), fc.nat(20)).map(([i, seed, cut]) => {
      const { pattern } = patterns[i] as (typeof patterns)[number];
      return (pattern === null ? '' : sample(pattern, picking(seed))).slice(cut % 7);
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 6 }),
        (pieces) => {
          expect(differences(pieces.join(' '))).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a sieve', () => {
  test('asks a sign that it knows nothing of about every text', () => {
    const odd = { test: (words: string) => words.length % 2 === 1 };
    const sieve = sieveOf([odd], { lowered: false });
    const found = ['a', 'ab', 'abc'].map((text) => {
      sieve.look(text);
      return sieve.has(sieve.numberOf(odd));
    });
    expect(found).toEqual([true, false, true]);
  });

  test('refuses a sign that it was made without', () => {
    expect(() => sieveOf([/a/], { lowered: false }).numberOf(/b/)).toThrow('without this sign');
  });
});
