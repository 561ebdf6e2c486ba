import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [61_440, '61 kB'],
  [999_499, '999 kB'],
  [999_999, '1.0 MB'],
  [1_234_567_890, '1.2 GB'],
  [5e15, '5000 TB'],
])('%d', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
