import { describe, expect, test } from 'vitest';
import { needlesOf } from './needles.ts';

function shown(sign: RegExp, lowered = false): string[] | null {
  return (
    needlesOf(sign, lowered)
      ?.map(
        ({ text, begins, ends, sure }) =>
          `${begins ? '|' : ''}${text}${ends ? '|' : ''}${sure ? ' sure' : ''}`,
      )
      .toSorted() ?? null
  );
}

describe('what a text needs for a sign', () => {
  test('is each of the words that stand for it', () => {
    expect(shown(/\b(?:must|has to)\b/i)).toEqual(['|has to| sure', '|must| sure']);
  });

  test('is all that may be between words, spelled out', () => {
    expect(shown(/\bdo(?:n['’]?t| not) do\b/i)).toEqual(
      ['|do not d', "|don't do| sure", '|don’t do| sure', '|dont do| sure'].toSorted(),
    );
  });

  test('is the rarer half where there is a gap', () => {
    expect(shown(/\bthe\b.{0,40}\bcriterion\b/i)).toEqual(['|criterio']);
  });

  test('is what must follow, where that is rarer', () => {
    expect(shown(/\bis (?=.*\bveto\b)/i)).toEqual(['|veto|']);
  });

  test('is the beginning of a word that may go on', () => {
    expect(shown(/\bprefer\w*\b/i)).toEqual(['|prefer sure']);
  });

  test('is not sure where something else must not be there', () => {
    expect(shown(/\bno\b(?! idea)/i)).toEqual(['|no|']);
  });

  test('is not sure where cases count, unless the text is in lower case', () => {
    expect(shown(/\bmerge\b/)).toEqual(['|merge|']);
    expect(shown(/\bmerge\b/, true)).toEqual(['|merge| sure']);
    expect(shown(/\b[Mm]erge\b/, true)).toEqual(['|merge|']);
  });

  test('is unknown where any word will do, and for flags and groups that it does not know', () => {
    expect(shown(/^\W*\w+ing?\b|\w+/)).toBeNull();
    expect(shown(/\bwort\b/iu)).toBeNull();
    expect(shown(/(?<name>word)/)).toBeNull();
    expect(shown(/(word) \1/)).toBeNull();
  });

  test('is nothing where no text can have the sign', () => {
    expect(shown(/a\bb/)).toEqual([]);
  });

  test('is one of those of its parts', () => {
    const any = { test: () => true, any: [/\bone\b/i, /\btwo\b/i] };
    expect(needlesOf(any, false)?.map(({ sure }) => sure)).toEqual([true, true]);
    expect(needlesOf({ test: () => true, within: [/\bone\b/i] }, false)?.[0]?.sure).toBe(false);
    expect(needlesOf({ test: () => true }, false)).toBeNull();
  });
});
