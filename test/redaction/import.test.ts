/** P9: what other software wrote is searched before any of it is stored. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Staffetta } from '../../src/library/staffetta.ts';
import type { StaffettaError } from '../../src/core/base/error.ts';
import { noRedactions } from '../../src/core/redact/redactions.ts';
import type { Redactor } from '../../src/core/redact/redactor.ts';
import { importTask } from '../../src/handoff/trust/import.ts';
import { exported, from } from '../support/exports.ts';
import {
  ada,
  eve,
  seededEntropy,
  stage,
  worldText,
  type Stage,
  type StageOptions,
} from '../support/world.ts';
import { commit, fresh, git, init, link, write } from '../workspace/sandbox.ts';

const token = ['gh', 'p_', 'aZ3kP9xQ7mB1'.repeat(3)].join('');
const contract = { goal: 'The fence stands.', constraints: ['Use oak.'] };
const pieceBytes = 1024 * 1024;

/** As software writes that knows no secrets. */
const blind: Redactor = {
  text: async (value) => ({ value, redactions: noRedactions }),
  bytes: async (value) => ({ value, redactions: noRedactions }),
  json: async (value) => ({ value, redactions: noRedactions }),
  stream: (source) => ({
    async *[Symbol.asyncIterator]() {
      yield* source;
    },
    redactions: () => noRedactions,
  }),
  knowing: () => blind,
};

function foreign(options: StageOptions = {}): Stage {
  const at = stage(options);
  const context = { ...at.context, redactor: async () => blind };
  return { ...at, context, staffetta: new Staffetta(context) };
}

/** Refused by rule and place; nothing of the secret is told, and nothing is stored. */
async function refusalOf(file: Buffer, secret = token): Promise<StaffettaError> {
  const there = stage({ seed: 2 });
  const before = worldText(there.world);
  const refusal = await importTask(there.context, from(file)).then(
    () => undefined,
    (error: unknown) => error as StaffettaError,
  );
  expect(refusal).toMatchObject({ code: 'invalid-input' });
  expect(worldText(there.world)).toBe(before);
  const said = JSON.stringify([refusal?.message, refusal?.hint, refusal?.details]);
  expect(said).not.toContain(secret.slice(4, 16));
  return refusal as StaffettaError;
}

describe('a secret is refused wherever it stands', () => {
  test('in a note', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.note(`It works with ${token}.`);
    const refusal = await refusalOf(await exported(here, leg.task));
    expect(refusal.message).toBe(
      `The export holds what looks like a secret in the clear: github-token in events.0.text of entry 1 of task ${leg.task}.`,
    );
    expect(refusal.details).toEqual({
      secrets: [{ rule: 'github-token', task: leg.task, seq: 1, place: 'events.0.text' }],
    });
    expect(refusal.hint).toMatch(/^Nothing was imported\./);
  });

  test('in the contract', async () => {
    const here = foreign();
    const { task } = await here.staffetta.begin({ goal: `Log in with ${token}` }, { as: ada });
    expect((await refusalOf(await exported(here, task))).message).toMatch(
      /github-token in goal of contract sha256:/,
    );
  });

  test('in the name of the speaker', async () => {
    const here = foreign();
    const { task } = await here.staffetta.begin(contract, { as: { name: token, kind: 'agent' } });
    expect((await refusalOf(await exported(here, task))).message).toContain('by.name of entry 0');
  });

  test('in the name of an effect', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.effect(token, async () => 'sent');
    expect((await refusalOf(await exported(here, leg.task))).message).toContain('events.0.effect of entry 1');
  });

  test('in a claim of a packet', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.checkpoint({ claims: { summary: 'Ready.', next: `Call it with ${token}.` } });
    const { message } = await refusalOf(await exported(here, leg.task));
    expect(message).toMatch(
      /github-token in claims\.next of packet sha256:[0-9a-f]{64}, which comes with entry 1/,
    );
  });

  test('in a transcript', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.checkpoint({ transcript: `{"said":"use ${token}"}\n` });
    const { message } = await refusalOf(await exported(here, leg.task));
    expect(message).toMatch(/github-token in the transcript of packet sha256:/);
  });

  test('across the edge of two pieces of a transcript', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    const lines = 'nothing to see\n'.repeat(pieceBytes / 8);
    for (const before of [10, 20, 39]) {
      const transcript = `${lines.slice(0, pieceBytes - before - 1)} ${token}\n${lines}`;
      const { packet } = (await leg.checkpoint({ transcript })).state;
      const { message } = await refusalOf(await exported(here, leg.task));
      expect(message).toContain(`the transcript of packet ${packet}`);
    }
  });

  test('across the edge to a piece that came before', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    const first = `${'nothing to see\n'.repeat(pieceBytes / 8).slice(0, pieceBytes - 11)} ${token.slice(0, 10)}`;
    await leg.checkpoint({ transcript: first });
    const file = await exported(here, leg.task);
    await importTask(stage({ seed: 2 }).context, from(file));
    await leg.checkpoint({ transcript: `${first}${token.slice(10)}\n` });
    expect((await refusalOf(await exported(here, leg.task))).message).toContain('entry 2 of task');
  });

  test('in a receipt that is a blob of its own, by byte', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.effect('deploy', async () => `${'x '.repeat(20_000)}${token}`);
    const { message } = await refusalOf(await exported(here, leg.task));
    expect(message).toMatch(/github-token in byte 40001 of blob sha256:/);
  });

  test('every place is named, up to a number', async () => {
    const here = foreign();
    const leg = await here.staffetta.begin(contract, { as: ada });
    for (let i = 0; i < 8; i += 1) await leg.note(`${i}: ${token}`);
    const { message, details } = await refusalOf(await exported(here, leg.task));
    expect(message).toMatch(/; and 3 more\.$/);
    expect(details['secrets']).toHaveLength(8);
  });
});

describe('what was captured', () => {
  let folder = '';
  beforeAll(() => {
    folder = fresh();
    init(folder);
    write(folder, 'a.txt', 'one\n');
    commit(folder, 'Begin.');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a file with a secret in it is refused', async () => {
    write(folder, 'new.env', `GITHUB=${token}\n`);
    const here = foreign({ workspace: folder });
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.checkpoint();
    const { message } = await refusalOf(await exported(here, leg.task));
    expect(message).toMatch(/github-token in byte 7 of blob/);
    rmSync(`${folder}/new.env`);
  });

  test('a link to a secret is refused', async () => {
    link(folder, 'link', `dir/${token}`);
    const here = foreign({ workspace: folder });
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.checkpoint();
    expect((await refusalOf(await exported(here, leg.task))).message).toMatch(/of manifest sha256:/);
    rmSync(`${folder}/link`);
  });

  test('what is clean passes: texts, changes, a program, effects', async () => {
    write(folder, 'a.txt', 'two\n');
    write(folder, 'program', `\0\x01${Buffer.from(seededEntropy(5).bytes(50_000)).toString('latin1')}`);
    git(folder, 'add', 'a.txt');
    const here = stage({ workspace: folder });
    const leg = await here.staffetta.begin(contract, { as: ada });
    await leg.effect('deploy', async () => ({ token: 'sent', url: 'https://app.test/x' }));
    await leg.note(`It works with ${token}, and password: hunter2hunter2.`);
    await here.staffetta.tell(leg.task, 'The token: opaque. "password": "correct"', { as: eve });
    await leg.complete({
      transcript: Buffer.concat([Buffer.from(`${token}\n`.repeat(100)), seededEntropy(3).bytes(2_000_000)]),
      claims: { summary: `DB_PASSWORD=${token}` },
    });
    const there = stage({ seed: 2 });
    const imported = await importTask(there.context, from(await exported(here, leg.task)));
    expect(imported).toMatchObject({ unchanged: false, tasks: [{ status: 'done' }] });
  });
});

test('bytes that are no text pass, also as a transcript', async () => {
  const here = foreign();
  const leg = await here.staffetta.begin(contract, { as: ada });
  await leg.checkpoint({ transcript: seededEntropy(3).bytes(3_000_000) });
  const there = stage({ seed: 2 });
  expect((await importTask(there.context, from(await exported(here, leg.task)))).unchanged).toBe(false);
});

test('what is here already is not searched again', async () => {
  const here = foreign();
  const leg = await here.staffetta.begin(contract, { as: ada });
  await leg.note(`It works with ${token}.`);
  await leg.checkpoint({ transcript: `${token}\n` });
  const file = await exported(here, leg.task);
  expect((await importTask(here.context, from(file))).unchanged).toBe(true);
});

test('what is removed while it is judged is searched before it comes again', async () => {
  const here = foreign();
  const leg = await here.staffetta.begin(contract, { as: ada });
  await leg.note(`It works with ${token}.`);
  await leg.complete();
  const file = await exported(here, leg.task);
  let read = 0;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield file.subarray(0, file.indexOf('\n') + 1);
    read += 1;
    await here.clock.advance(1000);
    await here.staffetta.sweep({ olderThanMs: 1, graceMs: 60_000 });
    yield file.subarray(file.indexOf('\n') + 1);
  };
  await expect(importTask(here.context, source)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(read).toBe(2);
  expect(here.world.tasks.size).toBe(0);
});

test('a transcript that cannot be searched is refused', async () => {
  const here = foreign();
  const leg = await here.staffetta.begin(contract, { as: ada });
  const numbers = Array.from({ length: 5 * pieceBytes }, (_, i) => String(i).padStart(7)).join(' ');
  await leg.checkpoint({ transcript: numbers });
  const there = stage({ seed: 2 });
  const refused = importTask(there.context, from(await exported(here, leg.task), pieceBytes));
  await expect(refused).rejects.toMatchObject({ code: 'too-large' });
  expect(there.world.tasks.size + there.world.blobs.size).toBe(0);
});
