/** A private key in wrapped base64 is found wherever it begins in it: behind its parameters, its certificate, or any text. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

interface Wrapped {
  readonly lines: readonly string[];
  /** Those that hold nothing but the key. */
  readonly ofKey: readonly string[];
}

function wrapped(before: string, width: number): Wrapped {
  const text = before + privateKey;
  const lines =
    Buffer.from(text)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  const lineOf = (at: number): number => (at * 4) / 3 / width;
  const from = before.length + privateKey.indexOf('\n') + 1;
  const to = before.length + privateKey.lastIndexOf('-----END');
  return { lines, ofKey: lines.slice(Math.ceil(lineOf(from)), Math.floor(lineOf(to))) };
}

const listings: readonly (readonly [string, (lines: readonly string[]) => string])[] = [
  ['as base64 writes it', (lines) => `${lines.join('\n')}\n`],
  ['behind cat -n', (lines) => lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}\n`).join('')],
  ['behind grep -n', (lines) => lines.map((line, i) => `k.b64:${i + 1}:${line}\n`).join('')],
  ['in a diff', (lines) => lines.map((line) => `+${line}\n`).join('')],
  ['in JSON', (lines) => JSON.stringify({ stdout: lines.join('\n') })],
];

describe.each(listings)('%s', (_how, write) => {
  test.each([
    ['its parameters', parameters],
    ['its public half', publicKey],
  ])('behind %s', async (_what, before) => {
    const { lines, ofKey } = wrapped(before, 76);
    const { value } = await redactor.text(write(lines));
    expect(ofKey.filter((line) => value.includes(line))).toEqual([]);
    expect(value).toContain(lines[0]);
  });

  test('behind any number of characters, wherever the mark is cut', async () => {
    for (let chars = 0; chars < 60; chars += 1) {
      const { lines, ofKey } = wrapped('x'.repeat(chars) + parameters, 60);
      const { value } = await redactor.text(write(lines));
      expect([chars, ofKey.filter((line) => value.includes(line))]).toEqual([chars, []]);
    }
  });
});

test('a stream that is cut inside the mark gives the same', async () => {
  for (let chars = 0; chars < 60; chars += 7) {
    const text = Buffer.from(`${wrapped('x'.repeat(chars), 64).lines.join('\n')}\n`);
    const pieces = Array.from({ length: Math.ceil(text.length / 65) }, (_, i) =>
      text.subarray(i * 65, i * 65 + 65),
    );
    const streamed: Uint8Array[] = [];
    for await (const piece of redactor.stream(pieces)) streamed.push(piece);
    expect(Buffer.concat(streamed).toString()).toBe((await redactor.text(text.toString())).value);
  }
});
