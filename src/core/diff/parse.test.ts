import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffText } from '../../../test/support/diff-text.ts';
import { parseDiff, type FileDiff } from './parse.ts';
import { namesInHeader, unquoteName } from './quoted.ts';
import { runs } from '../../../test/property/seed.ts';

/** As git writes it; `test/workspace/real-diff.test.ts` asks git itself. */
const ordinary = `diff --git a/src/a.ts b/src/a.ts
index 257cc56..3bd1f0e 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,5 @@ export function first() {
 one
-two
+zwei
+drei
 four
 five
\\ No newline at end of file
`;

function only(text: string): FileDiff {
  const { files } = parseDiff(text);
  expect(files.length).toBe(1);
  expect(diffText(parseDiff(text))).toBe(text);
  return files[0] as FileDiff;
}

describe('a file', () => {
  test('has its lines with their numbers, and pairs of what changed', () => {
    const file = only(ordinary);
    expect(file).toMatchObject({ path: 'src/a.ts', from: null, status: 'modified', added: 2, removed: 1 });
    expect(file).toMatchObject({ oldMode: '100644', newMode: '100644' });
    const [hunk] = file.hunks;
    expect(hunk).toMatchObject({ about: 'export function first() {', cut: false });
    expect(hunk?.lines.map((line) => [line.mark, line.old, line.new])).toEqual([
      [' ', 1, 1],
      ['-', 2, null],
      ['+', null, 2],
      ['+', null, 3],
      [' ', 3, 4],
      [' ', 4, 5],
    ]);
    expect(hunk?.lines[1]?.pair?.text).toBe('zwei');
    expect(hunk?.lines[3]?.pair).toBe(undefined);
    expect(hunk?.lines[5]?.noEnd).toBe('\\ No newline at end of file');
  });

  test('is new, deleted, renamed or copied', () => {
    const added = only(
      `diff --git a/n.txt b/n.txt\nnew file mode 100755\nindex 0000000..8baef1b\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+abc\n`,
    );
    expect(added).toMatchObject({ path: 'n.txt', status: 'added', newMode: '100755', added: 1 });
    const gone = only(
      `diff --git a/n.txt b/n.txt\ndeleted file mode 100644\nindex 8baef1b..0000000\n--- a/n.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-abc\n`,
    );
    expect(gone).toMatchObject({ path: 'n.txt', status: 'deleted', oldMode: '100644', removed: 1 });
    const moved = only(
      `diff --git a/old name.txt b/new name.txt\nsimilarity index 90%\nrename from old name.txt\nrename to new name.txt\nindex 8baef1b..1234567 100644\n--- a/old name.txt\t\n+++ b/new name.txt\t\n@@ -1 +1 @@\n-abc\n+abd\n`,
    );
    expect(moved).toMatchObject({
      path: 'new name.txt',
      from: 'old name.txt',
      status: 'renamed',
      similarity: 90,
    });
    const copied = only(
      `diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\nold mode 100644\nnew mode 100755\n`,
    );
    expect(copied).toMatchObject({ path: 'y', from: 'x', status: 'copied', newMode: '100755' });
  });

  test('is binary, a submodule, or only has another mode', () => {
    const named = only(
      `diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n`,
    );
    expect(named).toMatchObject({ path: 'p.png', binary: true, hunks: [] });
    const patched = only(
      `diff --git a/p.png b/p.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQ\n\nliteral 0\nHcmV?d00001\n\n`,
    );
    expect(patched.binary).toBe(true);
    expect(patched.rest.length).toBe(6);
    const module = only(
      `diff --git a/dep b/dep\nindex 1..2 160000\n--- a/dep\n+++ b/dep\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n`,
    );
    expect(module).toMatchObject({ newMode: '160000', added: 1, removed: 1 });
    const mode = only('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n');
    expect(mode).toMatchObject({ path: 'x', oldMode: '100644', newMode: '100755', hunks: [] });
  });

  test('has the name behind its quotes', () => {
    const file = only(
      String.raw`diff --git "a/gr\303\274n \"q\"\t.txt" "b/gr\303\274n \"q\"\t.txt"` +
        `\nnew file mode 100644\nindex 0..1\n--- /dev/null\n` +
        String.raw`+++ "b/gr\303\274n \"q\"\t.txt"` +
        `\n@@ -0,0 +1 @@\n+x\n`,
    );
    expect(file.path).toBe('grün "q"\t.txt');
    expect(unquoteName(String.raw`"\\\a\033"`)).toBe('\\\u0007\u001b');
    expect(unquoteName('"')).toBe('"');
    expect(namesInHeader('diff --git a/a b/c b/a b/c')).toEqual({ old: 'a b/c', new: 'a b/c' });
    expect(namesInHeader(String.raw`diff --git a/plain "b/\303\244"`)).toEqual({ old: 'plain', new: 'ä' });
  });

  test('is not ended by content that looks like a head', () => {
    const text = `diff --git a/p.diff b/p.diff\nindex 1..2 100644\n--- a/p.diff\n+++ b/p.diff\n@@ -1,2 +1,3 @@\n--- a/evil\n+++ b/evil\n+@@ -1 +1 @@\n diff --git a/x b/x\n`;
    const file = only(text);
    expect(file.path).toBe('p.diff');
    expect(file.hunks[0]?.lines.map(({ mark, text }) => `${mark}${text}`)).toEqual([
      '--- a/evil',
      '+++ b/evil',
      '+@@ -1 +1 @@',
      ' diff --git a/x b/x',
    ]);
  });
});

describe('a diff that was cut', () => {
  test('says so at any place after the first hunk begins', () => {
    expect(parseDiff(ordinary).cut).toBe(false);
    const from = ordinary.indexOf(' one');
    const last = ordinary.indexOf(' five');
    for (let at = from + 1; at < last + ' five'.length; at += 1) {
      const text = ordinary.slice(0, at);
      expect(parseDiff(text).cut).toBe(true);
      expect(diffText(parseDiff(text))).toBe(text);
    }
  });

  test('goes on with the next file where that begins in the middle of a hunk', () => {
    const text = `${ordinary.slice(0, ordinary.indexOf('+drei'))}${ordinary.replaceAll('a.ts', 'b.ts')}`;
    const { files, cut } = parseDiff(text);
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(cut).toBe(true);
    expect(files[0]?.hunks[0]?.cut).toBe(true);
    expect(files[1]?.hunks[0]?.cut).toBe(false);
  });
});

describe('the text', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '+', '-', '@', '\\', '\r', '\t', 'é', '\u202e') });
  const changed = fc.record({ mark: fc.constantFrom(' ', '+', '-'), text: word, noEnd: fc.boolean() });

  test('comes back from the hunks that were read', () => {
    const hunk = fc.record({ lines: fc.array(changed, { minLength: 1, maxLength: 8 }), about: word });
    const file = fc.record({ name: fc.constantFrom('a', 'b c', 'd/e.ts'), hunks: fc.array(hunk) });
    fc.assert(
      fc.property(fc.array(file), (files) => {
        const text = files
          .map(({ name, hunks }) => `diff --git a/${name} b/${name}\n${hunks.map(hunkText).join('')}`)
          .join('');
        const parsed = parseDiff(text);
        expect(diffText(parsed)).toBe(text);
        expect(parsed.cut).toBe(false);
        expect(parsed.files.map(({ path }) => path)).toEqual(files.map(({ name }) => name));
        expect(parsed.files.map(({ hunks }) => hunks.map(({ lines }) => lines.map(shape)))).toEqual(
          files.map(({ hunks }) => hunks.map(({ lines }) => lines.map(shape))),
        );
      }),
      runs(100),
    );
  });

  test('comes back whatever it is', () => {
    const line = fc.oneof(
      word,
      fc.constantFrom(
        'diff --git a/x b/x',
        'diff --cc x',
        '@@ -1,2 +1,2 @@',
        '@@ -0,0 +1 @@',
        '--- a/x',
        '+++ b/x',
        'new file mode 100644',
        'Binary files a/x and b/x differ',
        '\\ No newline at end of file',
        '',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, ended) => {
        const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '');
        expect(diffText(parseDiff(text))).toBe(text);
      }),
      runs(2000),
    );
  });

  interface Changed {
    readonly mark: string;
    readonly text: string;
    readonly noEnd?: boolean | string;
  }

  function shape({ mark, text, noEnd }: Changed): string {
    return `${mark}${text}${noEnd === true || typeof noEnd === 'string' ? '$' : ''}`;
  }

  function hunkText({ lines, about }: { lines: readonly Changed[]; about: string }): string {
    const old = lines.filter(({ mark }) => mark !== '+').length;
    const now = lines.filter(({ mark }) => mark !== '-').length;
    const body = lines.map(
      ({ mark, text, noEnd }) => `${mark}${text}\n${noEnd === true ? '\\ No newline at end of file\n' : ''}`,
    );
    return `@@ -1,${old} +1,${now} @@${about}\n${body.join('')}`;
  }
});
