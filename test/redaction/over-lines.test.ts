/** Secrets that stand on another line than their names, or on two lines, and what looks like them and is none. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
/** In pieces, so that nothing in this file is a secret. */
const secrets: Readonly<Record<string, string>> = {
  mixed: ['s3cr3t', 'Val99'].join(''),
  random: ['kJ8sL2mN4p', 'Q6rT8vX0'].join(''),
  hunter: ['hunt', 'er2'].join(''),
  start: token.slice(0, 12),
  rest: token.slice(12),
};

function filled(text: string): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => secrets[name] ?? whole);
}

const shown = (text: string): string => text.replaceAll(/\[redacted:[a-z0-9-]+:[0-9a-f]{12}\]/g, 'X');

/** Settled, and the same in a string of JSON. */
async function redacted(text: string): Promise<string> {
  const { value } = await redactor.text(text);
  expect((await redactor.text(value)).value).toBe(value);
  const json = await redactor.text(JSON.stringify({ content: text }));
  expect(json.value).toBe(JSON.stringify({ content: value }));
  return shown(value);
}

describe('found', () => {
  test.each([
    ['password:\n  {mixed}\nother: 1\n', 'password:\n  X\nother: 1\n'],
    ['db_password:   # of the database\n    "{mixed}"\n', 'db_password:   # of the database\n    "X"\n'],
    ['"apiToken":\n  "{random}",\n', '"apiToken":\n  "X",\n'],
    ['+password:\n+  {mixed}\n', '+password:\n+  X\n'],
    ['password: |\n  {mixed}\nother: 1\n', 'password: |\n  X\nother: 1\n'],
    ['  apiToken: >-\n    {random}\n  other: 1\n', '  apiToken: >-\n    X\n  other: 1\n'],
    ['password: |2-\n    {mixed}\n\n    {random}\nother: 1\n', 'password: |2-\n    X\n\n    X\nother: 1\n'],
    ['- name: DB_PASSWORD\n  value: {hunter}\n', '- name: DB_PASSWORD\n  value: X\n'],
    [
      '    - name: "API_TOKEN"\n      value: "{mixed}" # old\n',
      '    - name: "API_TOKEN"\n      value: "X" # old\n',
    ],
    [
      '  {\n    "name": "API_TOKEN",\n    "value": "{mixed}"\n  }',
      '  {\n    "name": "API_TOKEN",\n    "value": "X"\n  }',
    ],
    [
      ' - name: DB_PASSWORD\n-  value: {mixed}\n+  value: {random}\n',
      ' - name: DB_PASSWORD\n-  value: X\n+  value: X\n',
    ],
    ['- name: DB_PASSWORD\r\n  value: {mixed}\r\n', '- name: DB_PASSWORD\r\n  value: X\r\n'],
    ['  String password =\n      "{mixed}";\n', '  String password =\n      "X";\n'],
    ['const apiToken: string =\n  "{random}";\n', 'const apiToken: string =\n  "X";\n'],
    ['export DB_PASSWORD=s3c\\\n{mixed}\n', 'export DB_PASSWORD=X\\\nX\n'],
    ['curl -H "X: {start}\\\n{rest}"\n', 'curl -H "X: X\\\nX"\n'],
    ['curl -H "X: {start}\\\n{rest}" \\\n  https://x.test\n', 'curl -H "X: X\\\nX" \\\n  https://x.test\n'],
  ])('%j', async (text, outcome) => {
    expect(await redacted(filled(text))).toBe(outcome);
  });

  test('what goes over two lines is one finding', async () => {
    const { redactions } = await redactor.text(filled('x {start}\\\n{rest}\n'));
    expect(redactions.counts).toEqual({ 'github-token': 1 });
  });

  test('however the text is cut', async () => {
    const text = filled(
      'password: |\n  {mixed}\n\n- name: DB_PASSWORD\n  value: {hunter}\nX={start}\\\n{rest}\nlast\n',
    );
    const filler = 'nothing to see here\n'.repeat(20_000);
    const whole = await redactor.text(filler + text + filler);
    expect(shown(whole.value)).toContain('|\n  X\n\n- name: DB_PASSWORD\n  value: X\nX=X\\\nX\nlast\n');
    // A piece is searched once 256 KiB are there: every cut of the text comes to lie at the end of one.
    for (let cut = 0; cut <= text.length; cut += 1) {
      const bytes = Buffer.from(filler + text + filler);
      const at = filler.length + cut;
      const pieces = [bytes.subarray(at - 256 * 1024, at), bytes.subarray(at)];
      const streamed: Uint8Array[] = [];
      for await (const piece of redactor.stream(pieces)) streamed.push(piece);
      const expected = whole.value.slice(at - 256 * 1024);
      expect(Buffer.concat(streamed).toString()).toBe(expected);
    }
  });
});

test('lines that were read together are held back together', async () => {
  // The second line goes on from the first, and opens a place itself.
  const text = filled('Pwd={mixed}\\\nString secret =\n  "{random}"\nlast\n');
  const whole = (await redactor.text(text)).value;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const filler = 'x\n'.repeat((256 * 1024 - cut) / 2 + 1).slice(-(256 * 1024 - cut));
    const streamed: Uint8Array[] = [];
    for await (const piece of redactor.stream([
      Buffer.from(filler + text.slice(0, cut)),
      Buffer.from(text.slice(cut)),
    ]))
      streamed.push(piece);
    expect(Buffer.concat(streamed).toString()).toBe(filler + whole);
  }
});

describe('left', () => {
  test.each([
    'password:\n  string\n',
    'password:\n  type: string\n  minLength: 12\n',
    'password: |\n  The password of the user, 12 characters.\n',
    'token:\n  - a1b2c3d4e5\n',
    'token:\n- a1b2c3d4e5\n',
    'password:\na1b2c3d4e5\n',
    'password:\n\n  a1b2c3d4e5\n',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-secret1\n',
    '- name: DB_PASSWORD\n  value: $(OTHER_PASSWORD)\n',
    '- name: DB_PASSWORD\n  value: ""\n',
    '- name: DB_PASSWORD\n  value: changeme\n',
    '- name: TOKEN_FILE\n  value: /run/secrets/t0k3n\n',
    'secret:\n  secretName: my-secret-1\n',
    'const password =\n  process.env.PASSWORD;\n',
    'const token =\n  readToken2;\n',
    'case token:\n  return value123abc;\n',
    'nextPageToken:\n  a1b2c3d4e5f6\n',
    'if (a === token) \\\n  b1c2d3e4\n',
    'export PATH=a:\\\nb1c2d3e4f5\n',
    'DB_PASSWORD= \\\n  a1b2c3d4e5\n',
  ])('%j', async (text) => {
    expect(await redacted(text)).toBe(text);
  });
});

test('a bearer token is found on the line after its header, and said in a sentence', async () => {
  const secret = ['aB3dE5gH7jK9', 'mN1pQ3rS5tU7vW9x'].join('');
  const own = createRedactor({ key: Buffer.alloc(32, 3) });
  for (const text of [
    `Authorization: Bearer\n${secret}\n`,
    `Always use the bearer token ${secret} for it`,
    `DB_PASSWORD must be ${secret}.`,
  ]) {
    expect((await own.text(text)).value).not.toContain(secret);
    expect(JSON.stringify((await own.json({ text })).value)).not.toContain(secret);
  }
});
