/** Binary content keeps its length and is said to have been changed; a guess never touches it. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3), values: [['tr0ub4', 'dor-3x'].join('')] });
const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
const value = ['q8Zt', 'V2nL', '0pXw', 'R7kD'].join('');
const noise = Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 151 + (i >> 3)) % 256));

function around(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), noise, Buffer.from(`\0${text}\0`), noise]);
}

describe('a binary file', () => {
  test('with a token keeps its length and every other byte', async () => {
    const input = around(token);
    const { value: output, redactions } = await redactor.bytes(input);
    expect(output).toHaveLength(input.length);
    expect(Buffer.from(output).includes(token)).toBe(false);
    const changed = [...output.keys()].filter((i) => output[i] !== input[i]);
    expect(changed.length).toBeLessThanOrEqual(token.length);
    expect(Math.max(...changed) - Math.min(...changed)).toBeLessThan(token.length);
    expect(redactions).toMatchObject({ counts: { 'github-token': 1 }, binary: true });
  });

  test('leaves the array given alone', async () => {
    const input = around(token);
    const copy = Buffer.from(input);
    await redactor.bytes(input);
    expect(input.equals(copy)).toBe(true);
  });

  test('without a secret is given back as it is, and said to be binary', async () => {
    const input = around('nothing');
    const { value: output, redactions } = await redactor.bytes(input);
    expect(output).toBe(input);
    expect(redactions.binary).toBe(true);
  });

  test('is not touched by rules that guess', async () => {
    const input = around(`password=${value}`);
    expect((await redactor.bytes(input)).value).toBe(input);
  });

  test('loses values that are known', async () => {
    const input = around(['tr0ub4', 'dor-3x'].join(''));
    expect((await redactor.bytes(input)).redactions.counts).toEqual({ 'known-value': 1 });
  });

  test('is the same in a stream', async () => {
    const input = around(token);
    const pieces: Uint8Array[] = [];
    const stream = redactor.stream([input.subarray(0, 7), input.subarray(7, 2100), input.subarray(2100)]);
    for await (const piece of stream) pieces.push(piece);
    const whole = await redactor.bytes(input);
    expect(Buffer.concat(pieces).equals(whole.value)).toBe(true);
    expect(stream.redactions()).toEqual(whole.redactions);
  });

  test('is settled: redacting it again changes nothing', async () => {
    const once = await redactor.bytes(around(`${token} ${token}`));
    expect((await redactor.bytes(once.value)).value).toBe(once.value);
  });
});

describe('text in two-byte characters', () => {
  test.each([
    ['little-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('%s loses its secrets and stays text', async (order, encode) => {
    const text = `first line\r\nDB_PASSWORD=${value}\r\n${token}\r\nlast line, with é\r\n`;
    const { value: output, redactions } = await redactor.bytes(encode(text));
    const read = new TextDecoder(order === 'little-endian' ? 'utf-16le' : 'utf-16be').decode(output);
    expect(read).toBe(
      `first line\r\nDB_PASSWORD=${'*'.repeat(value.length)}\r\n${'*'.repeat(token.length)}\r\nlast line, with é\r\n`,
    );
    expect(redactions.counts).toEqual({ 'assigned-secret': 1, 'github-token': 1 });
  });
});

test('text in an old single-byte encoding is text', async () => {
  const input = Buffer.from(`caf\u00e9 password: "${value}"\n`, 'latin1');
  const { value: output, redactions } = await redactor.bytes(input);
  expect(Buffer.from(output).toString('latin1')).toMatch(
    /^caf\u00e9 password: "\[redacted:assigned-secret:[0-9a-f]{12}\]"\n$/,
  );
  expect(redactions.binary).toBe(false);
});

test('too much of it is refused', async () => {
  await expect(redactor.bytes(Buffer.alloc(65 * 1024 * 1024))).rejects.toMatchObject({ code: 'too-large' });
});
