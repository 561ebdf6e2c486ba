import { expect, test } from 'vitest';
import type { FoundSecret } from './found.ts';
import { Passage } from './passage.ts';
import { placeholdersIn } from '../placeholder.ts';
import type { Scan } from './scan.ts';

/** Finds the last `a` and nothing else, so that each round uncovers the next. */
const oneAtATime: Scan = (bytes) => {
  const text = bytes.toString('latin1');
  const placeholders = placeholdersIn(text);
  let at = text.lastIndexOf('a');
  while (at !== -1 && placeholders.some(({ start, end }) => start <= at && at < end))
    at = at === 0 ? -1 : text.lastIndexOf('a', at - 1);
  const one: FoundSecret = { start: at, end: at + 1, rule: 'letter', rank: 0, secret: 'a', continues: false };
  return { found: at === -1 ? [] : [one] };
};

function passed(text: string): { readonly value: string; readonly count: number } {
  const passage = new Passage(oneAtATime, () => '0123456789ab');
  const output = [...passage.push(Buffer.from(text)), ...passage.end()];
  return { value: Buffer.concat(output).toString(), count: passage.redactions().counts['letter'] ?? 0 };
}

const many = 'a '.repeat(100);

test('a line that does not settle is taken as a whole, and counted', () => {
  const { value, count } = passed(`before\n${many}\nbehind`);
  expect(value).toBe('before\n[redacted:letter:0123456789ab]\nbehind');
  expect(count).toBeGreaterThan(0);
});

test('of a line of JSON only the string is taken', () => {
  const { value } = passed(JSON.stringify({ x: many, y: 1, z: 'text' }));
  expect(JSON.parse(value)).toEqual({ x: '[redacted:letter:0123456789ab]', y: 1, z: 'text' });
});

test('of binary content, what lies between the first find and the last', () => {
  const { value } = passed(`\0x${many}y\0`);
  expect(value).toBe(`\0x${'*'.repeat(199)} y\0`);
});
