/**
 * Texts that make a careless pattern try again and again: something short, repeated, that many parts of a pattern could take, before an
 * end that none of them takes.
 */
export interface Hostile {
  readonly name: string;
  readonly text: string;
  /** It kept something busy once. */
  readonly isFound?: true;
}

const repeated: readonly string[] = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  ' \n',
  'a',
  '0',
  '_',
  '-',
  '.',
  '. ',
  '/',
  '#',
  '*',
  '=',
  ':',
  ',',
  ', ',
  '"',
  "'",
  '`',
  '\\',
  '\\"',
  '(',
  ')',
  '()',
  '[',
  '[]',
  '{',
  '{,',
  '<',
  '<a>',
  '</a>',
  '<data>',
  'a ',
  'a/',
  'a.b ',
  'a/b ',
  'a, ',
  'a=',
  'a: ',
  '_0.go ',
  'a/b/c_0.go ',
  'a/b.ts, ',
  '- ',
  '- a\n',
  '1. ',
  '# a\n',
  '## ',
  '```\n',
  '**a**',
  'the ',
  'and ',
  'not ',
  'very ',
  'really ',
  'no longer ',
  'please ',
  "don't ",
  'a b\n',
  '//',
  '//\n',
  '/**/',
  '/*',
  '?a=b&',
  'a@',
  'a:b@',
  'key=value ',
  'password: ',
  'SECRET_KEY=*:*:*:=',
  'AccountKey=a-a:',
  'a.AccountKey=sk-',
  '?token=',
  '--flag ',
  '$(',
  '&&',
  ' | ',
  'QUJD',
  'deadbeef',
  'eyJhbGciOi',
  '-----BEGIN ',
  // Every mark of a key, alone and with what could be a piece of one behind it.
  'Private-Lines: 9\n',
  'Private-Lines: 9\nA\n',
  'Private-MAC: 0\n',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\nQUJDa1b2\n',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----,',
  '---- BEGIN SSH2 PRIVATE KEY ----\n',
  '-----END PRIVATE KEY-----\n',
  `${Buffer.from('-----BEGIN PRIVATE KEY-----\nAb1').toString('base64')}\n`,
  '@@ -1 +1 @@\n',
  '+a\n',
  'é',
  'e\u0301',
  '\u200b',
  '\u202e',
  '\u0000',
  '\u001b[',
  '\ufeff',
  '👩‍👩‍👧',
  'ﬁ',
];

/** Words that open what a rule or a reader looks for, so that the rest is looked at. */
const openings: readonly string[] = [
  'remove ',
  'moved the files from ',
  'write ',
  'all tests pass ',
  'git add ',
  'do not use ',
  'never mind ',
  'error: ',
  'let Ada review ',
  '# Next\n\n- ',
  '- [x] done [',
  'token = "',
  'postgres://u:',
  '{"a": ',
];

/** What only works together: found in patterns that two of their own parts could match. */
const together: readonly (readonly [opening: string, unit: string])[] = [
  ['we want to ', 'really '],
  ['npm test', ' ; echo a'],
  ['and ', 'before a, '],
  ['please ', 'would '],
  ['{"a": 1 ', '// a '],
  ['done [', 'file:a'],
  ['{', ',{'],
  ['# a', ' '],
  ['<', ' '],
  ['git', ' git'],
  ['-----BEGIN PRIVATE KEY-----\n', `${'Ab1+cD2e'.repeat(5)} Ab `],
  [`-----BEGIN PRIVATE KEY-----\n${'Ab1+cD2e'.repeat(5)}\n`, 'a '],
];

function until(length: number, unit: string): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

export function hostileInputs(length: number): Hostile[] {
  const bare = repeated.map((unit) => ({ name: JSON.stringify(unit), text: `${until(length, unit)}\u0001` }));
  const opened = openings.flatMap((opening, i) =>
    // A few of the units each, in turn: all of them with all would take minutes and find the same.
    repeated
      .filter((_, n) => n % openings.length === i)
      .map((unit) => ({
        name: `${JSON.stringify(opening)} and ${JSON.stringify(unit)}`,
        text: `${opening}${until(length, unit)}\u0001`,
      })),
  );
  const found = together.map(([opening, unit]) => ({
    name: `${JSON.stringify(opening)} and ${JSON.stringify(unit)}`,
    text: `${opening}${until(length, unit)}\u0001`,
    isFound: true as const,
  }));
  return [...bare, ...opened, ...found].map((one) => ({ ...one, text: one.text.toWellFormed() }));
}
