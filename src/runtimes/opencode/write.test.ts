import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exported, OpencodeDatabase } from '../../../test/runtimes/fixtures/opencode/database.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import { captureSession } from './capture.ts';
import { read as readRecords } from './read/read.ts';
import { listSessions } from './sessions.ts';
import { write, type WriteChoices } from './write.ts';

let folder: string;
let path: string;
let options: WriteChoices;

/** Stands for the program: it imports and deletes as the program does, and fails in the ways that are asked of it. */
const standIn = `#!${process.execPath}
const [command, second, third] = process.argv.slice(2);
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(process.env.SAID, JSON.stringify({ argv: process.argv.slice(2), pwd: process.env.PWD, cwd: process.cwd() }) + '\\n');
const load = async () => {
  const { OpencodeDatabase } = await import(process.env.FIXTURE);
  const program = new OpencodeDatabase(process.env.OPENCODE_DB);
  if (command === 'session') {
    program.db.prepare('DELETE FROM session WHERE id = ?').run(third);
  } else if (process.env.FAILS !== 'import') {
    const file = JSON.parse(readFileSync(second, 'utf8'));
    file.info.directory = process.env.PWD;
    if (process.env.FAILS === 'loses') file.messages.at(-1).parts.pop();
    if (process.env.FAILS === 'alters') file.messages[0].parts[0].text += ' ';
    program.import(file);
  }
  program.close();
};
load().then(() => { process.exitCode = process.env.FAILS === 'import' ? 1 : 0; });
`;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'opencode-write-')));
  path = join(folder, 'opencode.db');
  const bin = join(folder, 'bin');
  const scratch = join(folder, 'scratch');
  for (const made of [bin, scratch, join(folder, 'work')]) mkdirSync(made);
  writeFileSync(join(bin, 'opencode'), standIn);
  chmodSync(join(bin, 'opencode'), 0o755);
  options = {
    env: {
      PATH: bin,
      OPENCODE_DB: path,
      SAID: join(folder, 'said.jsonl'),
      FIXTURE: join(import.meta.dirname, '../../../test/runtimes/fixtures/opencode/database.ts'),
    },
    folder: join(folder, 'work'),
    model: 'fake/fake-model',
    now: 1_794_800_000_000,
    random: (count) => randomBytes(count),
  };
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function readBack(id: string): Promise<Transcript> {
  const records: Uint8Array[] = [];
  for await (const record of captureSession({ runtime: 'opencode', id, path }).records) records.push(record);
  return readRecords(records);
}

async function transcriptOf(name: string): Promise<Transcript> {
  const program = new OpencodeDatabase(path);
  const whole = exported(name);
  program.import(whole);
  program.close();
  return await readBack(whole.info.id);
}

function told({ steps }: Transcript): unknown[] {
  return steps
    .filter(({ aside, mark }) => aside === undefined && mark !== 'context')
    .map(({ source, text, calls, results }) => ({ source, text, calls, results }));
}

describe('round trip (RT9)', () => {
  test.each(['basic', 'file-edit', 'compaction', 'written'])(
    'what was written is read back with the same roles, texts, calls and results: %s',
    async (name) => {
      const given = await transcriptOf(name);
      const { place } = await write(given, options);
      expect(told(await readBack(place.id))).toEqual(told(given));
      const cards = [...listSessions(path, { folder: options.folder })];
      expect(cards.map(({ id }) => id)).toEqual([place.id]);
    },
  );

  test('a call that was cut off is written with a result', async () => {
    const given = await transcriptOf('crash-mid-tool');
    const { place, omissions } = await write(given, options);
    const back = await readBack(place.id);
    expect(back.unanswered).toEqual([]);
    expect(back.steps[1]?.results?.[0]).toMatchObject({
      failed: true,
      text: expect.stringMatching(/interrupted/),
    });
    expect(omissions.map(({ kind }) => kind)).toContain('unanswered-call');
  });

  test('no other session is touched', async () => {
    const given = await transcriptOf('basic');
    await write(given, options);
    expect(await readBack(given.facts.session)).toEqual(given);
  });
});

describe('a session that was not taken in as it was written', () => {
  test.each(['loses', 'alters', 'import'])('is taken away and refused: the program %s', async (fails) => {
    const given = await transcriptOf('basic');
    const attempt = write(given, { ...options, env: { ...options.env, FAILS: fails } });
    await expect(attempt).rejects.toThrow(/^opencode did not take in the session as it was written\. /);
    expect([...listSessions(path)].map(({ id }) => id)).toEqual([given.facts.session]);
  });
});

test('without the program it is refused', async () => {
  const given = await transcriptOf('basic');
  const attempt = write(given, { ...options, env: { ...options.env, PATH: '' } });
  await expect(attempt).rejects.toThrow(/^opencode is not on the PATH/);
});

test('without a model the one that was used last is taken, and without any it is refused', async () => {
  const given = await transcriptOf('basic');
  const { model: _, ...without } = options;
  const { place } = await write(given, without);
  expect((await readBack(place.id)).facts.model).toBe('fake/fake-model');
  const empty = { ...without, env: { ...without.env, OPENCODE_DB: join(folder, 'empty.db') } };
  await expect(write(given, empty)).rejects.toThrow(/^opencode has used no model here yet/);
});

test('a transcript without anything to say is refused before the program is started', async () => {
  const given = await transcriptOf('basic');
  await expect(write({ ...given, steps: [] }, options)).rejects.toThrow(/no step that could be written/);
  expect(readdirSync(folder)).not.toContain('said.jsonl');
});
