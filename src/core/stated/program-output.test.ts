import { describe, expect, test } from 'vitest';
import { isOutput } from './program-output.ts';
import { messageIn } from './prose.ts';

const printed: readonly string[] = [
  'src/upload.ts(41,7): error TS2322: Type string must not be null.',
  'src/upload.ts:41:7 - error TS2322: you should never use any here.',
  'error TS2688: Cannot find type definition file; you must install it.',
  'Program.cs(12,5): error CS1002: ; expected, never omit it',
  'main.c:12:5: error: you must include stdio.h first.',
  'C:/x/main.cpp:12: warning: never use gets here',
  'clang: error: linker command failed, you must pass -v.',
  'error[E0382]: borrow of moved value must not happen',
  '  --> src/main.rs:4:5',
  '   = note: you must implement Copy for this.',
  './main.go:12:2: undefined: you must import it',
  'panic: runtime error: you must never index past the end.',
  '  12:5  error  Unexpected any, you must not use it  no-explicit-any',
  '✖ 2 problems (2 errors, 0 warnings), fix them before you push.',
  'a.py:1:8: F401 `os` imported but must not be unused',
  'a.py:12: error: Argument 1 must not be None  [arg-type]',
  'Foo.java:12: error: you must declare the exception.',
  '    at Object.read (src/a.ts:3:4)',
  '    at async file:///srv/app/main.js:12:3',
  'at com.acme.Pool.take(Pool.java:41)',
  'Caused by: java.lang.IllegalStateException: you must not close it twice.',
  '... 12 more',
  'TypeError: Cannot read properties of undefined, value must not be null.',
  'java.lang.NullPointerException: name must never be null.',
  'Traceback (most recent call last):',
  '  File "/srv/app.py", line 3, in <module>',
  'npm ERR! you must use node 20 or newer.',
  'FAILED tests/test_a.py::test_x - AssertionError: it must not be 3.',
  'tests/test_a.py::test_x FAILED',
  '=================== FAILURES ===================',
  'E   assert 3 == 2',
];

describe('what programs print', () => {
  test.each(printed)('%j is pasted, alone and above the words of a user', (line) => {
    expect(isOutput(line)).toBe(true);
    for (const message of [
      line,
      `${line}\n\nfix that one`,
      `${line}\nfix that one`,
      `I get this:\n${line}\n${line}`,
    ])
      for (const { text, pasted } of messageIn(message))
        expect([text, pasted]).toEqual([
          text,
          /^(?:fix that one|I get this:)$/.test(text) ? undefined : true,
        ]);
    for (const message of [
      `${line}\n\nfix that one`,
      `${line}\nfix that one`,
      `${line}\n${line}\nfix that one`,
    ])
      expect(messageIn(message).filter(({ pasted }) => pasted !== true)).toEqual([{ text: 'fix that one' }]);
  });

  test('a message that goes on in lines below its first is pasted as a whole', () => {
    const message =
      "a.ts(1,2): error TS2322: No.\n  Type 'x' must not be assigned.\n    You should never do that.\n\nfix those two";
    expect(messageIn(message).filter(({ pasted }) => pasted !== true)).toEqual([{ text: 'fix those two' }]);
  });

  test.each([
    'error handling must not swallow the cause',
    'Errors must never reach the user.',
    'warning: never push to main',
    'error messages in src/a.ts must say what to do',
    'src/upload.ts must not import the parser',
    'at least two reviewers must agree',
    'TypeErrors must be caught in the parser',
    'Note: the schema must not change',
    'npm must not be used, use pnpm',
    'file(s) over 5 MB must be refused: say why',
    'panic must never happen in the parser',
    'step 2: never touch the lockfile',
    'failed jobs must be tried again',
    'error E42 must never be shown to a customer',
  ])('%j is the words of a user', (words) => {
    expect(isOutput(words)).toBe(false);
    expect(messageIn(words)).toEqual([{ text: words }]);
    expect(messageIn(`Please add an export.\n\n${words}`)).toEqual([
      { text: 'Please add an export.' },
      { text: words },
    ]);
  });
});

test.each([
  'Also: never edit go.sum by hand',
  'Note: we cannot upgrade node, stay on 18',
  'never edit go.sum by hand',
  "Don't touch the generated files",
  'important: keep the public names as they are',
  'PS: niemals direkt auf main pushen',
])('%j right below what a program printed is said by a user', (rule) => {
  const message = `src/a.go:12:5: undefined: foo\nsrc/a.go:14:2: must never return here\n${rule}`;
  expect(messageIn(message).filter(({ pasted }) => pasted !== true)).toMatchObject([{ text: rule }]);
});
