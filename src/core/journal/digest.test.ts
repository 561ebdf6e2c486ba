import { expect, test } from 'vitest';
import { Digest, digestBytes, digestFromBytes, digestOf, isDigest } from './digest.ts';

const empty = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('a digest is the SHA-256 of the exact bytes', () => {
  expect(digestOf('')).toBe(empty);
  expect(digestOf(new Uint8Array(0))).toBe(empty);
  expect(digestOf('é')).toBe(digestOf(Buffer.from('é')));
});

test('a digest goes to bytes and back', () => {
  const digest = digestOf('x');
  expect(digestBytes(digest)).toHaveLength(32);
  expect(digestFromBytes(digestBytes(digest))).toBe(digest);
});

test('only sha256: and 64 lower-case hex digits are a digest', () => {
  expect(isDigest(empty)).toBe(true);
  for (const bad of [empty.slice(7), empty.toUpperCase(), `${empty}0`, empty.slice(0, -1), `${empty}\n`]) {
    expect(isDigest(bad)).toBe(false);
    expect(Digest.safeParse(bad).success).toBe(false);
  }
});
