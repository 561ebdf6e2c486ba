import { expect, test } from 'vitest';
import { parseDiff } from '../../core/diff/parse.ts';
import { fileLine, fileLines, totalLine } from './diff-page.ts';
import type { Paint } from '../frame/output.ts';

const plain: Paint = {
  dim: (text) => text,
  bold: (text) => text,
  good: (text) => text,
  warn: (text) => text,
  bad: (text) => text,
};

function shown(text: string): string[] {
  return parseDiff(text).files.flatMap((file) => [...fileLines(file, plain)]);
}

const changed = `diff --git a/src/limit.ts b/src/limit.ts
index 257cc56..3bd1f0e 100644
--- a/src/limit.ts
+++ b/src/limit.ts
@@ -40,3 +40,4 @@ function allow()
 one
-two
+2
+3
 four
\\ No newline at end of file
`;

test('each line has the number that a comment on it takes', () => {
  expect(shown(changed)).toEqual([
    'src/limit.ts  +2 -1',
    '@@ -40,3 +40,4 @@ function allow()',
    '    40   one',
    '   -41 - two',
    '    41 + 2',
    '    42 + 3',
    '    43   four',
    String.raw`       \ No newline at end of file`,
  ]);
});

test('what a file or its name says moves no cursor and changes no colour', () => {
  const text = changed
    .replaceAll('src/limit.ts', 'src/\u001b[31mred.ts')
    .replace('+2', '+\u001b]0;title\u0007\u202egnp')
    .replace('allow()', 'allow(\u001b[2J)')
    .replace('+3', '+3\r');
  const all = shown(text).join('\n');
  // eslint-disable-next-line no-control-regex
  expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(all).toContain('␛');
});

test('renames, modes and what is not text are told in the line of the file', () => {
  const [renamed, binary, mode] = parseDiff(`diff --git a/run.sh b/bin/run
old mode 100644
new mode 100755
similarity index 100%
rename from run.sh
rename to bin/run
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3bd1f0e
Binary files /dev/null and b/logo.png differ
diff --git a/run b/run
old mode 100644
new mode 100755
`).files.map((file) => [fileLine(file, plain), ...[...fileLines(file, plain)].slice(1)]);
  expect(renamed).toEqual([
    'run.sh → bin/run  renamed  mode 100644 → 100755',
    'No line of its content changed.',
  ]);
  expect(binary).toEqual(['logo.png  new  binary', 'Its content is not text, and is not shown.']);
  expect(mode).toEqual(['run  mode 100644 → 100755', 'No line of its content changed.']);
});

test('a diff that ends early says so', () => {
  expect(shown(changed.slice(0, changed.indexOf('+3'))).at(-1)).toMatch(/ends here/);
});

test('the sum of all files is counted', () => {
  expect(totalLine(parseDiff(changed).files)).toBe('1 file, 2 lines added, 1 removed');
});
