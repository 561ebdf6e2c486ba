/** docs/history-formats.md, held to the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atifRules } from '../../src/core/formats/atif-check.ts';
import { shapeNames } from '../../src/core/formats/shapes/detect.ts';
import { asides, marks } from '../../src/core/transcript/step.ts';
import { historyFormats } from '../../src/handoff/history/history-formats.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/history-formats.md'), 'utf8');

test('the page has a section for every format and no other', () => {
  const sections = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(sections).toEqual([...historyFormats]);
});

test('the page has a row for every rule of ATIF and no other', () => {
  const table = page.slice(page.indexOf('| Rule |'), page.indexOf('### ai-sdk'));
  expect([...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1])).toEqual([...atifRules]);
});

test('the page names every shape, mark and aside', () => {
  expect([...shapeNames, ...marks, ...asides].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});

test('the page says what every omission is, and names no other', () => {
  const folders = ['src/core/transcript', 'src/core/formats', 'src/core/formats/shapes'];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const made = sources.flatMap((source) => [
    ...source.matchAll(/(?:losses\.add|#lose)\(\s*(?:known \? )?'([a-z-]+)'(?: : '([a-z-]+)')?/g),
    ...source.matchAll(/^ {2}[a-z_]+: \['([a-z-]+)', '/gm),
  ]);
  const kinds = new Set(made.flatMap((match) => match.slice(1).filter((kind) => kind !== undefined)));
  const table = page.slice(page.indexOf('| Left out |'));
  const listed = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap((row) =>
    [...(row[1] ?? '').matchAll(/`([a-z-]+)`/g)].map((match) => match[1] ?? ''),
  );
  expect(listed.toSorted()).toEqual([...kinds].toSorted());
});
