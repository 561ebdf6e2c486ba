/** What becomes of a line on its way to the screen. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { colourLines } from './colours.ts';
import { emptyWords } from './empty.ts';
import { languageOf } from './language.ts';
import { parseDiff } from '../../../src/core/diff/parse.ts';
import { piecesOf } from './pieces.ts';
import { beginsChange, lineOf, piecesOfRows, rowsOf } from './rows.ts';
import { hiddenIn, hiddenInProse, turns } from './visible.ts';
import { changedWords, wordRanges } from './words.ts';
import { runs } from '../../../test/property/seed.ts';

const [file] = parseDiff(
  `diff --git a/a.ts b/a.ts\n@@ -1,5 +1,6 @@\n keep\n-const a = 1;\n-gone\n+const b = 1;\n+new\n+more\n keep\n-last\n`,
).files;
if (file === undefined) throw new Error('The diff has one file.');

describe('rows', () => {
  test('stand one below the other, each with the line of its side', () => {
    const rows = rowsOf(file, false);
    expect(rows.map((row) => (row.kind === 'line' ? [row.old?.text, row.new?.text] : row.kind))).toEqual([
      'hunk',
      ['keep', 'keep'],
      ['const a = 1;', undefined],
      ['gone', undefined],
      [undefined, 'const b = 1;'],
      [undefined, 'new'],
      [undefined, 'more'],
      ['keep', 'keep'],
      ['last', undefined],
      'cut',
    ]);
    expect(rows.map((_, at) => beginsChange(rows, at)).flatMap((is, at) => (is ? [at] : []))).toEqual([2, 8]);
  });

  test('stand side by side where one line takes the place of another', () => {
    const rows = rowsOf(file, true);
    expect(rows.map((row) => (row.kind === 'line' ? [row.old?.text, row.new?.text] : row.kind))).toEqual([
      'hunk',
      ['keep', 'keep'],
      ['const a = 1;', 'const b = 1;'],
      ['gone', 'new'],
      [undefined, 'more'],
      ['keep', 'keep'],
      ['last', undefined],
      'cut',
    ]);
    expect(lineOf(rows[2])).toMatchObject({ side: 'new', line: { text: 'const b = 1;' } });
    expect(lineOf(rows[2], 'old')).toMatchObject({ side: 'old', line: { text: 'const a = 1;' } });
    expect(lineOf(rows[6])).toMatchObject({ side: 'old', line: { text: 'last' } });
    expect(lineOf(rows[1], 'old')).toMatchObject({ side: 'new' });
    expect(lineOf(rows[4], 'old')).toBe(undefined);
    expect(lineOf(rows[0])).toBe(undefined);
  });

  test('are drawn in pieces that cover them all once', () => {
    fc.assert(
      fc.property(fc.nat(1000), (count) => {
        const pieces = piecesOfRows(count);
        expect(pieces.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(count);
        expect(pieces.every(({ from }, n) => from === (pieces[n - 1]?.to ?? 0))).toBe(true);
      }),
      runs(100),
    );
  });
});

describe('changed words', () => {
  test('are marked on both sides', () => {
    expect(wordRanges('const a = 1;', 'const b = 1;')).toEqual({
      old: [{ from: 6, to: 7 }],
      new: [{ from: 6, to: 7 }],
    });
    const line = file.hunks[0]?.lines[1];
    expect(line === undefined ? undefined : changedWords(line)).toEqual([{ from: 6, to: 7 }]);
  });

  test('are not marked where hardly anything is the same, or where there is too much', () => {
    expect(wordRanges('gone', 'new')).toEqual({ old: [], new: [] });
    const long = 'word '.repeat(1000);
    expect(wordRanges(long, `${long}!`)).toEqual({ old: [], new: [] });
    const [old, now] = [0, 1].map((n) => Array.from({ length: 400 }, (_, i) => `${n}x${i}`).join(' '));
    expect(wordRanges(old ?? '', now ?? '')).toEqual({ old: [], new: [] });
  });

  test('and what is the same make up each line', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', 'é') });
    fc.assert(
      fc.property(text, text, (old, now) => {
        const ranges = wordRanges(old, now);
        const isMarked = ranges.old.length + ranges.new.length > 0;
        expect(without(old, ranges.old)).toBe(isMarked ? without(now, ranges.new) : old);
      }),
      runs(100),
    );
  });
});

function without(line: string, changed: readonly { from: number; to: number }[]): string {
  return line
    .split('')
    .filter((_, at) => !changed.some(({ from, to }) => from <= at && at < to))
    .join('');
}

function namesInProse(text: string): readonly string[] {
  return hiddenInProse(text).map(({ name }) => name);
}

function emptyOf(head: string): string | undefined {
  const [one] = parseDiff(`diff --git a/run.sh b/run2.sh\n${head}\n`).files;
  return one === undefined ? undefined : emptyWords(one);
}

/** Whether the file is one of CRLF, and how each line's end is shown. */
function endsOf(lines: string): readonly unknown[] {
  const [one] = parseDiff(`diff --git a/a b/a\n@@ -1,9 +1,9 @@\n${lines}`).files;
  return [one?.crlf, ...(one?.hunks[0]?.lines.map(({ end }) => end ?? 'shown') ?? [])];
}

describe('hidden characters', () => {
  test('are named', () => {
    expect(hiddenIn('plain\ttext {}')).toEqual([]);
    expect(hiddenIn('a\u202eb\u200b\r\u001b\u00a0\ufeff\u{e0041}').map(({ name }) => name)).toEqual([
      'RLO',
      'ZWSP',
      'CR',
      'ESC',
      'NBSP',
      'BOM',
      'U+E0041',
    ]);
    expect(hiddenIn('x\ud800y')).toEqual([{ from: 1, to: 2, name: 'U+D800' }]);
    expect(hiddenIn('grün 中文 emoji 🧰')).toEqual([]);
  });

  test('are named in language too, but for what it is written with', () => {
    expect(namesInProse('a\u202eb\u200bc\u0007')).toEqual(['RLO', 'ZWSP', 'BEL']);
    expect(namesInProse('⚠\ufe0f 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 1\u00a0000 می\u200cخواهم 　')).toEqual([]);
    expect(namesInProse('pass\u200dword x\ufe0f')).toEqual(['ZWJ', 'U+FE0F']);
  });

  test('that turn the reading direction are told apart', () => {
    expect(turns('access\u2066 // check \u2069')).toBe(true);
    expect(turns('a\u200bb')).toBe(false);
  });
});

describe('a file without lines to show', () => {
  test('says all that changed about it', () => {
    const mode = 'old mode 100644\nnew mode 100755';
    const name = 'similarity index 100%\nrename from run.sh\nrename to run2.sh';
    expect(emptyOf(mode)).toBe('Only its mode changed.');
    expect(emptyOf(name)).toBe('Only its name changed.');
    expect(emptyOf(`${mode}\n${name}`)).toBe('Only its name and mode changed.');
    expect(emptyOf(`${mode}\n${name.replaceAll('rename', 'copy')}`)).toBe(
      'A copy; only its mode is another.',
    );
    expect(emptyOf('new file mode 100644')).toBe('An empty file.');
  });
});

describe('line ends', () => {
  test('of a file that always had CR are usual, and a new line without it is not', () => {
    expect(endsOf(' a\r\n-b\r\n+c\r\n+d\n e\r\n')).toEqual([
      true,
      'usual',
      'usual',
      'usual',
      'bare',
      'usual',
    ]);
    expect(endsOf(' a\r\n b\n\\ No newline at end of file\n')).toEqual([true, 'usual', 'shown']);
  });

  test('that changed are shown on the side that has the CR', () => {
    expect(endsOf('-a\r\n-b\r\n+a\n+b\n')).toEqual([true, 'shown', 'shown', 'bare', 'bare']);
    expect(endsOf('-a\n+a\r\n b\n')).toEqual([false, 'shown', 'shown', 'shown']);
    expect(endsOf(' a\r\n b\n')).toEqual([false, 'shown', 'shown']);
  });

  test('of a new file that all have CR are usual', () => {
    expect(endsOf('+a\r\n+b\r\n')).toEqual([true, 'usual', 'usual']);
  });
});

describe('pieces', () => {
  test('make up the line again, whatever is marked', () => {
    const range = fc.tuple(fc.nat(12), fc.nat(3));
    const ranges = fc.array(range, { maxLength: 4 }).map((steps) => {
      let at = 0;
      return steps.map(([skip, length]) => {
        const from = at + skip;
        at = from + length + 1;
        return { from, to: at, scope: 'keyword' };
      });
    });
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\u202e', '🧰', '<') });
    fc.assert(
      fc.property(text, ranges, ranges, (line, words, colours) => {
        const inside = (one: { to: number }): boolean => one.to <= line.length;
        const pieces = piecesOf(line, words.filter(inside), colours.filter(inside));
        expect(pieces.map((piece) => piece.text).join('')).toBe(line);
        for (const { text: shown, hidden } of pieces) expect(hidden !== undefined).toBe(shown === '\u202e');
      }),
      runs(100),
    );
  });

  test('know colour, change and hidden character at once', () => {
    expect(piecesOf('let \u200bx', [{ from: 4, to: 6 }], [{ from: 0, to: 3, scope: 'keyword' }])).toEqual([
      { text: 'let', scope: 'keyword' },
      { text: ' ' },
      { text: '\u200b', changed: true, hidden: 'ZWSP' },
      { text: 'x', changed: true },
    ]);
  });
});

describe('colours', () => {
  test('are ranges of each line, also of what spans many', () => {
    const [coloured] = parseDiff(
      'diff --git a/a.ts b/a.ts\n@@ -0,0 +1,3 @@\n+/* one\n+two */ const x = "</script>";\n+\n',
    ).files;
    const lines = coloured?.hunks[0]?.lines ?? [];
    const colours = colourLines(lines, 'typescript');
    expect(lines.map((line) => colours.get(line))).toEqual([
      [{ from: 0, to: 6, scope: 'comment' }],
      [
        { from: 0, to: 6, scope: 'comment' },
        { from: 7, to: 12, scope: 'keyword' },
        { from: 17, to: 28, scope: 'string' },
      ],
      [],
    ]);
  });

  test('are those of the language that a name ends with', () => {
    expect(languageOf('src/a.test.TS')).toBe('typescript');
    expect(languageOf('.github/workflows/x.yml')).toBe('yaml');
    expect(languageOf('README')).toBe(undefined);
    expect(languageOf('constructor')).toBe(undefined);
  });
});
