import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameRulesAt } from '../../src/workspace/restore/name-rules.ts';
import { fresh, write } from './sandbox.ts';
import { imprint } from './tree.ts';

test('a file system is asked how it reads names, without writing to it', () => {
  const folder = fresh('Names');
  write(folder, 'probe');
  const before = imprint(folder);
  const { caseless } = nameRulesAt(folder);
  expect(imprint(folder)).toEqual(before);
  expect(caseless).toBe(existsSync(join(folder, 'PROBE')));
});

test('one that holds nothing, and one that is still to be made, is asked by its own name or from above', () => {
  const folder = fresh('Empty');
  mkdirSync(folder);
  const expected = nameRulesAt(join(folder, '..'));
  expect(nameRulesAt(folder)).toEqual(expected);
  expect(nameRulesAt(join(folder, 'not', 'there', 'yet'))).toEqual(expected);
});

test('twins that are both there are no sign of carelessness', () => {
  const folder = fresh('Twins');
  write(folder, 'a');
  write(folder, 'A');
  expect(nameRulesAt(folder)).toEqual(nameRulesAt(join(folder, '..')));
});
