/** What coding agents wrote, as ATIF: valid, and the same steps again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAtif } from '../../src/core/formats/atif-check.ts';
import { readAtif } from '../../src/core/formats/atif-read.ts';
import { transcriptToAtif } from '../../src/core/formats/atif.ts';
import { detectShape } from '../../src/core/formats/shapes/detect.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { outlineOf } from './outline.ts';

const folder = join(import.meta.dirname, '../runtimes/fixtures');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((item) => item.isFile() && item.name.endsWith('.jsonl'))
  .map((item) => join(item.parentPath, item.name).slice(folder.length + 1));

test.each(files)('%s is a valid trajectory with the same steps', (file) => {
  const runtime = allRuntimes({ HOME: '/nowhere' }).find(({ name }) => file.startsWith(`${name}/`));
  const bytes = readFileSync(join(folder, file));
  const lines = bytes.toString('latin1').split('\n');
  const transcript = runtime?.read(
    lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'latin1')),
  );
  if (transcript === undefined) throw new Error(`no runtime for ${file}`);
  const document = transcriptToAtif(transcript);
  expect(checkAtif(document)).toEqual([]);
  const read = readAtif(JSON.parse(JSON.stringify(document)));
  expect(read === null ? null : outlineOf(read)).toEqual(outlineOf(transcript));
  expect(read?.facts).toEqual(transcript.facts);
});

test.each(files)('%s is not mistaken for messages of an SDK', (file) => {
  expect(detectShape(readFileSync(join(folder, file)))).toBeNull();
});
