import { describe, expect, test } from 'vitest';
import { messageIn, ownWords, sentencesIn, sentencesOf } from './prose.ts';

const texts = (text: string): string[] => sentencesIn(text).map((sentence) => sentence.text);

describe('sentences', () => {
  test('end at stops before a blank, not in abbreviations, numbers, names or code', () => {
    expect(sentencesOf('Use zod, e.g. zod/mini. Keep v1.2 of app.ts! Why? `a. b` is one.')).toEqual([
      'Use zod, e.g. zod/mini.',
      'Keep v1.2 of app.ts!',
      'Why?',
      '`a. b` is one.',
    ]);
  });

  test('end at a semicolon only between two clauses', () => {
    expect(sentencesOf('use pnpm for everything here; never touch the lockfile')).toEqual([
      'use pnpm for everything here',
      'never touch the lockfile',
    ]);
    expect(sentencesOf('a; b')).toEqual(['a; b']);
  });

  test('keep a question with the answer that follows it at once', () => {
    expect(sentencesOf('A mutex? Forget it. Why cursors? Because rows move.')).toEqual([
      'A mutex? Forget it.',
      'Why cursors? Because rows move.',
    ]);
  });

  test('join lines of a paragraph and part the items of a list', () => {
    expect(texts('Please add\na dry run.\n\n- one thing\n  goes on\n2. another\n* [ ] a third')).toEqual([
      'Please add a dry run.',
      'one thing goes on',
      'another',
      'a third',
    ]);
  });

  test('carry the heading or the line with a colon that stands over a list', () => {
    expect(sentencesIn('# Rules\n- a b c\n\nOut of scope:\n- d e f\n\nAnd this is new.')).toEqual([
      { text: 'a b c', under: 'Rules' },
      { text: 'Out of scope:', under: 'Rules' },
      { text: 'd e f', under: 'Out of scope:' },
      { text: 'And this is new.', under: 'Rules' },
    ]);
  });
});

describe('what was pasted', () => {
  test('leaves out fenced code, also where the fence is never closed', () => {
    expect(texts('Look:\n```ts\n// Never do this.\n```\nFine.')).toEqual(['Look:', 'Fine.']);
    expect(texts('Look.\n~~~\nYou must not.')).toEqual(['Look.']);
  });

  test('leaves out quotations and blocks in tags', () => {
    expect(
      texts('They write:\n> You must not.\n\n<context>\nNever touch it.\n</context>\nWe use it anyway.'),
    ).toEqual(['They write:', 'We use it anyway.']);
  });

  test('keeps what stands behind a block in the same line', () => {
    expect(texts('<system-reminder>Never rest.</system-reminder> Now write the test.')).toEqual([
      'Now write the test.',
    ]);
    expect(texts('<ide_selection>\nNever rest.\n</ide_selection> Rename this one.')).toEqual([
      'Rename this one.',
    ]);
    expect(texts('<strong>Never</strong> commit the generated files.')).toEqual([
      '<strong>Never</strong> commit the generated files.',
    ]);
  });

  test('takes no command to the program for words', () => {
    for (const command of ['/clear', '/model opus', '/my:review', '!npm test'])
      expect(messageIn(command)).toEqual([]);
    expect(messageIn('/clear\n\nNow write the test.')).toEqual([{ text: 'Now write the test.' }]);
    for (const words of ['/review only src, do not change tests', '/etc/hosts must stay as it is'])
      expect(messageIn(words)).toEqual([{ text: words }]);
  });

  test('takes lines with the sign of what is to be remembered for words', () => {
    expect(messageIn('# never commit generated files')).toEqual([{ text: 'never commit generated files' }]);
    expect(messageIn('# always use tabs\n# never use any')).toEqual([
      { text: 'always use tabs' },
      { text: 'never use any' },
    ]);
  });

  test('leaves out logs, traces, diffs and tables by their lines', () => {
    for (const line of [
      '2026-03-01T10:22:33Z WARN you must not use the legacy option',
      '[ERROR] blocked: waiting for approval',
      'npm WARN deprecated glob@7: never use this version',
      '    at Object.read (src/a.ts:3:4)',
      '+  // This is done when all rows were read; never call it twice.',
      '| parse | 12 ms | out of scope |',
      'src/a.ts:12:3: error: the review owner is missing',
      '{"goal":"reduce handles","next":"retry"}',
      'Traceback (most recent call last):',
    ])
      expect([line, ...texts(`Here it is:\n\n${line}`)]).toEqual([line, 'Here it is:']);
  });

  test('drops a whole paragraph when two of its lines look pasted', () => {
    const log = 'warning: a\nhint: never do that again\nerror: b';
    expect(texts(`See below.\n\n${log}`)).toEqual(['See below.']);
  });

  test('marks what was pasted into a message, and drops none of it', () => {
    expect(messageIn('See this:\n```\nf(1)\n```\n> No.\n\nnpm ERR! code 1\nnpm ERR! two')).toEqual([
      { text: 'See this:' },
      { text: 'f(1)', pasted: true },
      { text: 'No.', pasted: true },
      { text: 'npm ERR! code 1 npm ERR! two', pasted: true },
    ]);
  });

  test('takes sentences with signs of a log or of code for typed', () => {
    for (const line of [
      "Make `parse('1e3')` return 1000.",
      'Never log tokens at INFO level.',
      'warning: never push to main',
      '2026-12-01 is the deadline, nothing may ship after it.',
      '<Button> must never be disabled on mobile.',
      "It must answer 404 (not 500) for id=0, id=-1, id='' (see #12).",
      'import the rows from the old table',
    ]) {
      expect(texts(line)).toEqual([line]);
      expect(texts(`Please add an export.\n\n${line}`)).toEqual(['Please add an export.', line]);
      expect(texts(`${line}\nPlease add an export.`).join(' ')).toContain(line);
    }
  });

  test('keeps the sentences around a log in the same paragraph', () => {
    expect(texts('I get this:\nnpm ERR! code 1\nnpm ERR! two\nPlease fix it for good.')).toEqual([
      'I get this: Please fix it for good.',
    ]);
  });

  test('takes the only line of a message for typed, whatever it looks like', () => {
    for (const line of ['$ npm test', '// never again', '{"retries": 3}'])
      expect(messageIn(line)).toEqual([{ text: line }]);
  });

  test('keeps a line of any length, in pieces where no sentence ends', () => {
    const words = 'stream the rows of the export and '.repeat(65).trim();
    expect(
      texts(words)
        .map((text) => text.replace(/…$/, ''))
        .join(' '),
    ).toBe(words);
    expect(texts(words)).toHaveLength(3);
  });

  test('takes no plain words for a log', () => {
    for (const line of ['Keep the API as it is', 'no new dependencies', 'note: the schema is frozen'])
      expect(texts(line)).toEqual([line]);
  });

  test('takes time that grows with the text, whatever the text', () => {
    expect(texts('a'.repeat(10_000_000))).toEqual([]);
    for (const piece of [
      '<x>\n',
      '<x> a\n\n',
      'a. ',
      'a; ',
      '` a. ',
      'why? ',
      '"a b c" ',
      '- a\n',
      '# a\n',
      '```\n',
      '> a\n',
      '/*\n',
      '<!--\n',
      '- [ ] a\n',
    ])
      expect(texts(piece.repeat(100_000)).length).toBeLessThanOrEqual(2000);
  });

  test('takes a lone backtick for a slip, and the beginning of a sentence without an end', () => {
    expect(texts('don`t touch it. Keep it.')).toEqual(['don`t touch it.', 'Keep it.']);
    expect(texts(`never ${'touch it and '.repeat(100)}`)[0]).toMatch(/^never .{900,992} \S+…$/);
  });
});

test('the words of others inside a sentence are blanked out', () => {
  expect(ownWords('It prints "you must never do that" and `never` stops')).toBe(
    'It prints  …  and  …  stops',
  );
  expect(ownWords('The button says "Save", don’t change it')).toBe('The button says "Save", don’t change it');
});
