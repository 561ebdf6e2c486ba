/**
 * Text built to make the scanner slow, to switch it off, to break it, or to slip something past it. Of the combinations that take time
 * `npm test` has a part: every anchor, every shape, every character in every place, but not each with each.
 */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { secretRules } from '../../src/core/redact/rules.ts';
import { sample } from '../support/sample.ts';
import { kinds, Random } from './kinds.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const chars = 32 * 1024;
const begin = ['-----BEGIN', 'PRIVATE', 'KEY-----'].join(' ');
const fill = (text: string): string => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);

/** Processor time, so that other work on the machine does not count. */
async function cpuMs(text: string): Promise<number> {
  const before = process.cpuUsage();
  await redactor.text(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Linear work takes some hundred milliseconds at most for 32 KB of the worst there is; what reads the same characters again
 * for each of them takes minutes. The bound lies far from both.
 */
const msMax = 2500;

describe('no text takes long', () => {
  const anchors = [...new Set(secretRules.flatMap((rule) => rule.anchors))];
  const shapes: readonly (readonly [string, (anchor: string) => string])[] = [
    ['again and again', (anchor) => fill(anchor)],
    ['on every line', (anchor) => fill(`${anchor}\n`)],
    ['assigned again and again', (anchor) => fill(`${anchor}=`)],
    ['named again and again', (anchor) => fill(`${anchor}: `)],
    ['opening quotes that never close', (anchor) => fill(`${anchor}="`)],
    ['as path, host and user', (anchor) => fill(`${anchor}/a:b@c.`)],
    ['before letters without end', (anchor) => anchor + fill('a1B')],
    ['before blanks without end', (anchor) => anchor + fill(' ')],
    ['before a quote without end', (anchor) => `${anchor}="${fill('a1')}`],
    ['with a kilobyte after each', (anchor) => fill(anchor + 'a1'.repeat(500))],
    ['in strings of a list', (anchor) => `[${fill(`${JSON.stringify(anchor)},`)}""]`],
    ['as names of an object', (anchor) => `{${fill(`${JSON.stringify(anchor)}:"a\\nb",`)}"":""}`],
    ['behind backslashes', (anchor) => fill(`\\${anchor}`)],
    ['percent-encoded', (anchor) => fill(`%41${anchor}`)],
  ];

  const written = anchors.flatMap((anchor) => shapes.map(([what]) => ({ anchor, what })));
  const taken = sample('anchors in shapes', written, {
    oneIn: shapes.length,
    kindOf: ({ anchor }) => anchor,
  });

  test.each(shapes)('anchors %s', async (what, write) => {
    for (const { anchor } of taken.filter((one) => one.what === what))
      expect([anchor, (await cpuMs(write(anchor))) < msMax]).toEqual([anchor, true]);
  });

  const signs = Array.from('aA1+/-_=.,:;\'"`\\%$#@!?*<>()[]{}| \t~^&\r');

  test('any two characters, again and again, where a key would go on', async () => {
    const pairs = signs.flatMap((a) => signs.map((b) => ({ a, b })));
    for (const { a, b } of sample('two characters', pairs, { oneIn: 20, kindOf: (pair) => pair.a })) {
      const text = `${begin}\n${fill(a + b)}\u0001\n`;
      expect([a + b, (await cpuMs(text)) < msMax]).toEqual([a + b, true]);
    }
  });

  test.each([
    'password=',
    '"password":"',
    'DB_PASSWORD=',
    '://',
    '://u:',
    'postgres://u:',
    'Authorization: ',
    'Bearer ',
    'Cookie: a=',
    'Set-Cookie: a=',
    'curl -u a:',
    'login a password ',
    '<password>',
    '--password ',
    'xoxd-',
    '[redacted:',
    '\\u0041',
    '-----BEGIN ',
  ])('any character again and again after %s', async (lead) => {
    for (const sign of sample(`a character again and again: ${lead}`, signs, { oneIn: 12 }))
      expect([sign, (await cpuMs(`${lead}${fill(sign)}\u0001`)) < msMax]).toEqual([sign, true]);
  });

  test('escapes of escapes of escapes', async () => {
    let text = 'token=';
    for (let depth = 0; depth < 12; depth += 1) text = JSON.stringify(text);
    expect(await cpuMs(text + fill('\\'))).toBeLessThan(msMax);
  });

  test('encodings inside encodings', async () => {
    let text = 'password=abc';
    for (let depth = 0; depth < 12; depth += 1)
      text = Buffer.from(encodeURIComponent(text)).toString('base64');
    expect(await cpuMs(text)).toBeLessThan(msMax);
  });

  // All of one place, and thousands of placeholders in one line: four times the usual length, since both grew with its square.
  test.each(['AccountKey=a-a:', 'a.AccountKey=sk-', '?token=', 'SECRET_KEY=*:*:*:='])(
    '%s on one line',
    async (unit) => {
      expect(await cpuMs(fill(unit).repeat(4))).toBeLessThan(msMax);
    },
  );

  test('ten thousand secrets', async () => {
    const random = new Random('many');
    const tokens = Array.from({ length: 10_000 }, () => kinds[11]?.make(random).text ?? '').join('\n');
    expect(await cpuMs(tokens)).toBeLessThan(msMax);
  });

  test('ten thousand secrets on one line', async () => {
    const random = new Random('many');
    const tokens = Array.from({ length: 10_000 }, () => kinds[11]?.make(random).text ?? '').join(' ');
    expect(await cpuMs(tokens)).toBeLessThan(msMax);
  });
});

describe('nothing in a text switches the scanner off', () => {
  const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');

  test.each([
    ['a comment of another scanner', `// secretlint-disable\n${token} // gitleaks:allow nosec`],
    ['a comment on its line', `${token} // secretlint-disable-line`],
    ['a forged placeholder before it', `[redacted:jwt:0123456789ab]${token}`],
    ['a forged placeholder around it', `[redacted:${token}:0123456789ab]`],
    ['a key that begins and never ends', `${begin}\nabc\n${token}`],
    ['a NUL', `\u0000${token}`],
    ['a byte order mark', `\ufeff${token}`],
    ['an escape sequence around it', `\u001b[31m${token}\u001b[0m`],
    ['a thousand lines of base64 before it', `${`${'QUJD'.repeat(16)}\n`.repeat(1000)}${token}`],
    ['a broken record', `{"content":"it said \\n${token}`],
    ['letters of other alphabets beside it', `ключ${token}密钥`],
    ['a coloured record', JSON.stringify({ out: `\u001b[32m${token}\u001b[39m` })],
  ])('%s', async (_what, text) => {
    expect((await redactor.text(text)).value).not.toContain(token);
  });
});

test('a token coloured in its middle is still one', async () => {
  const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
  const [start, end] = [token.slice(0, 9), token.slice(9)];
  const { value } = await redactor.text(`found ${start}\u001b[01;31m\u001b[K${end}\u001b[m here`);
  expect(value).toMatch(/^found \[redacted:github-token:[0-9a-f]{12}\]\u001b\[m here$/);
});

test('what a placeholder stands beside is judged as it was before: a line settles', async () => {
  const line = `ls output: ${'SECRET_KEY=*:*:*:='.repeat(512)}`;
  const { value } = await redactor.text(`${line}\n`);
  expect(value).toContain('ls output: SECRET_KEY=');
});

describe('limits', () => {
  test('a line that is too long is refused, whole or in pieces', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'a');
    function* line(): Generator<Uint8Array> {
      for (let i = 0; i < 40; i += 1) yield megabyte;
    }
    const read = async (): Promise<void> => {
      for await (const piece of redactor.stream(line())) expect(piece.length).toBe(0);
    };
    await expect(read()).rejects.toMatchObject({ code: 'too-large' });
    await expect(redactor.bytes(Buffer.concat([...line()]))).rejects.toMatchObject({ code: 'too-large' });
  });

  test('a long line within the limit is searched to its end', async () => {
    const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
    const line = `{"image":"${'iVBORw0KGgo'.repeat(700_000)}","text":"${token}"}`;
    const { value } = await redactor.text(line);
    expect(value).not.toContain(token);
    expect(() => JSON.parse(value) as unknown).not.toThrow();
  });

  test('a key longer than what is kept back is taken to its end', async () => {
    const body = `${'Ab0/'.repeat(16)}\n`.repeat(9000);
    const label = ['PRIVATE', 'KEY'].join(' ');
    const text = `-----BEGIN ${label}-----\n${body}-----END ${label}-----\n`;
    const { value, redactions } = await redactor.text(text);
    expect(value).not.toContain('Ab0/Ab0/');
    expect(redactions.counts).toEqual({ 'private-key': 1 });
    const streamed: Uint8Array[] = [];
    for await (const piece of redactor.stream([Buffer.from(text)])) streamed.push(piece);
    expect(Buffer.concat(streamed).toString()).toBe(value);
  });
});
