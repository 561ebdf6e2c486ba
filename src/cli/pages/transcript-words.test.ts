import { expect, test } from 'vitest';
import { transcriptWriter } from './transcript-words.ts';

function written(...pieces: (string | Uint8Array)[]): string {
  const writer = transcriptWriter();
  const parts = pieces.map((piece) => writer.write(typeof piece === 'string' ? Buffer.from(piece) : piece));
  return [...parts, writer.end()].join('');
}

const whole = 'first\nsecond né 日本\n\nlast without an end';

test('every line has its margin, and the last one its end', () => {
  expect(written(whole)).toBe('    │ first\n    │ second né 日本\n    │ \n    │ last without an end\n');
  expect(written('a\n')).toBe('    │ a\n');
  expect(written('')).toBe('');
});

test('where a piece ends makes no difference, not even inside a character', () => {
  const bytes = Buffer.from(whole);
  for (let cut = 0; cut <= bytes.length; cut += 1)
    expect(written(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(written(whole));
});

test('what is not text is shown, not obeyed', () => {
  expect(written(Uint8Array.of(0x61, 0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a))).toBe('    │ a\ufffd␀␛\n');
});
