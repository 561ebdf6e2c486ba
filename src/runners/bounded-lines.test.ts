import { expect, test } from 'vitest';
import { boundedLines } from './bounded-lines.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

test.each([1, 2, 3, 7, 100])(
  'lines are the same in pieces of %i bytes, and one that is too long is passed over',
  async (size) => {
    let passed = 0;
    const lines: string[] = [];
    const text = 'one\n\nzwö…lf\n123456789012345\n1234567890\nlast without an end';
    const bounds = { bytesMax: 10, tooLong: () => (passed += 1) };
    for await (const line of boundedLines(pieces(text, size), bounds)) lines.push(line);
    expect(lines).toEqual(['one', 'zwö…lf', '1234567890']);
    // The last has no end, and is longer than it may be all the same.
    expect(passed).toBe(2);
  },
);
