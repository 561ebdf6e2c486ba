/** P8: whatever is touched, cut off, moved, added or newer than we know is found, and nothing of it arrives. */
import { beforeAll, describe, expect, test } from 'vitest';
import { exported, from, joined, partsOf, resealed, type Part } from '../../../test/support/exports.ts';
import { told } from '../../../test/support/forks.ts';
import { ada, dawn, seededEntropy, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { cardOf } from '../../core/task/card.ts';
import { entryDigest, sealEntry, type Entry } from '../../core/journal/entry.ts';
import type { StaffettaError } from '../../core/base/error.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sealPacket } from '../../core/packet/packet.ts';
import { writeSnapshot } from '../../core/journal/snapshot.ts';
import type { AdoptedEntry } from '../../ports/journal.ts';
import { readPacket } from '../history/history.ts';
import { importTask } from './import.ts';
import { foldedAt } from '../record/load.ts';

let file: Buffer;
let task: TaskId;
let origin: TaskId;

/** Two journals, three packets, a transcript in two pieces. */
beforeAll(async () => {
  const at = stage();
  const { leg } = await told(at, ['one', 'two']);
  origin = leg.task;
  const fork = await at.staffetta.fork(origin, { at: 'latest', why: 'x', as: ada, take: true });
  ({ task } = fork);
  const carrying = await at.staffetta.leg(task, { as: ada });
  await carrying.note('noted');
  await carrying.complete({ transcript: 'ab'.repeat(600_000) });
  file = await exported(at, task);
});

async function refusal(bytes: Uint8Array, partBytes = 4096): Promise<string> {
  const at = stage({ seed: 9 });
  const before = worldText(at.world);
  const error: unknown = await importTask(at.context, from(bytes, partBytes)).catch((e: unknown) => e);
  expect(worldText(at.world)).toBe(before);
  const { code, message, hint } = error as StaffettaError;
  expect([code, hint === undefined]).toEqual(['corrupt', false]);
  return message.replace(/^The export is not sound: /, '');
}

/** With one part exchanged for others. */
function exchanged(at: number, ...parts: readonly Part[]): Part[] {
  return partsOf(file).toSpliced(at, 1, ...parts);
}

function part(at: number): Part {
  const found = partsOf(file).at(at);
  if (found === undefined) throw new Error(`there is no part ${at}`);
  return found;
}

function placeOf(wanted: (part: Part) => boolean): number {
  return partsOf(file).findIndex(wanted);
}

describe('the file', () => {
  test('begins with what it holds and ends with what proves that it is whole', () => {
    const parts = partsOf(file);
    const [header] = parts;
    const entries = parts.filter(({ line }) => 'entry' in line);
    const blobs = parts.filter(({ line }) => 'blob' in line);
    expect(header?.line).toMatchObject({
      format: 'staffetta-export',
      v: 1,
      task,
      entries: entries.length,
      blobs: blobs.length,
      journals: [
        { task: origin, seq: 2 },
        { task, seq: 2 },
      ],
    });
    expect(parts.at(-1)?.line).toEqual({ end: entries.length + blobs.length, chain: expect.any(String) });
    expect(joined(parts).equals(file)).toBe(true);
    expect(resealed(parts).equals(file)).toBe(true);
  });

  test('holds every blob once, after the entry that names it', () => {
    const kinds = partsOf(file).map(({ line }) =>
      'entry' in line ? String(line['entry']) : 'blob' in line ? 'b' : '-',
    );
    expect(kinds.join('')).toBe('-0b1bbb2bb012bbbb-');
  });

  test('is read the same however it is cut', async () => {
    for (const bytes of [37, 1000, file.length]) {
      const at = stage({ seed: 9 });
      expect((await importTask(at.context, from(file, bytes))).entries).toBe(6);
    }
  });
});

describe('accidents', () => {
  test('every byte counts: wherever one is touched, the file is refused', async () => {
    const entropy = seededEntropy(5);
    for (let n = 0; n < 150; n += 1) {
      const touched = Buffer.from(file);
      const at = Math.floor(entropy.fraction() * (n % 2 === 0 ? file.length : 4000));
      touched[at] = (touched[at] ?? 0) ^ (1 << (n % 8));
      expect(await refusal(touched)).not.toBe('');
    }
  });

  test('wherever it is cut off, it is refused and says that it breaks off', async () => {
    const entropy = seededEntropy(6);
    const cuts = Array.from({ length: 60 }, () => Math.floor(entropy.fraction() * (file.length - 1)));
    for (const at of [0, 1, 500, file.length - 1, ...cuts])
      expect(await refusal(file.subarray(0, at))).toMatch(/breaks off|it is empty/);
    expect(await refusal(joined(partsOf(file).slice(0, -1)))).toMatch(
      /breaks off after record 16, without an end/,
    );
  });

  test('something behind the end, a record twice, one less, or two exchanged are found', async () => {
    expect(await refusal(Buffer.concat([file, Buffer.from('\n')]))).toBe('something follows its end.');
    expect(await refusal(Buffer.concat([file, file]))).toBe('something follows its end.');
    for (let at = 1; at < partsOf(file).length - 1; at += 1) {
      await refusal(joined(exchanged(at, part(at), part(at))));
      await refusal(joined(exchanged(at)));
      await refusal(joined(exchanged(at, part(at + 1), part(at)).toSpliced(at + 2, 1)));
    }
  });

  test('what is no export is told apart from one that is damaged', async () => {
    expect(await refusal(Buffer.from('PK\u0003\u0004\n'))).toBe('the header is not JSON.');
    expect(await refusal(Buffer.from('{"some":"json"}\n'))).toBe('it does not begin as an export does.');
    expect(await refusal(Buffer.alloc(3_000_000, 'x'))).toBe('the header is longer than a line may be.');
    expect(await refusal(Buffer.from([0xff, 0xfe, 10]))).toBe('the header is not UTF-8.');
  });

  test('a source that changes between the readings leaves no task behind', async () => {
    const at = stage({ seed: 9 });
    let reading = 0;
    const other = resealed(exchanged(0, { line: { ...part(0).line, entries: 6 } }));
    const changed = Buffer.from(other);
    changed.set(Buffer.from('zz'), changed.indexOf('abab'));
    const source = () => from(reading++ === 0 ? file : changed)();
    await expect(importTask(at.context, source)).rejects.toMatchObject({ code: 'corrupt' });
    expect(at.world.tasks.has(task)).toBe(false);
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });
});

function entryPart(at: number, change: (entry: Record<string, unknown>) => Record<string, unknown>): Part[] {
  const { line, payload } = part(at);
  const body = canonical(change(JSON.parse(String(payload)) as Record<string, unknown>));
  const bytes = Buffer.from(body);
  return exchanged(at, {
    line: { ...line, digest: entryDigest(body), bytes: bytes.length },
    payload: bytes,
  });
}

async function forged(parts: readonly Part[]): Promise<string> {
  return await refusal(resealed(parts));
}

describe('forgeries with matching counts and chain', () => {
  test('a version from the future is refused and says what to do', async () => {
    const at = stage({ seed: 9 });
    const newer = resealed(exchanged(0, { line: { ...part(0).line, v: 3 } }));
    await expect(importTask(at.context, from(newer))).rejects.toMatchObject({
      code: 'corrupt',
      message: 'The export is not sound: it has version 3, and this staffetta reads up to 2.',
      hint: 'Nothing was imported. Update staffetta to the version that wrote it.',
    });
    expect(
      await forged(entryPart(1, (entry) => ({ ...entry, events: [{ type: 'task-teleported', v: 1 }] }))),
    ).toMatch(/an event this version does not know: task-teleported v1/);
    expect(await forged(entryPart(1, (entry) => ({ ...entry, v: 2 })))).toMatch(/entry of version 2/);
  });

  test('an entry that was rewritten does not continue, or is not the head', async () => {
    expect(await forged(entryPart(3, (entry) => ({ ...entry, at: 1 })))).toMatch(
      /does not continue the entry before it/,
    );
    const last = placeOf(({ line }) => line['entry'] === 2 && line['task'] === task);
    expect(await forged(entryPart(last, (entry) => ({ ...entry, at: 1 })))).toMatch(
      /is not the head that the header names/,
    );
    expect(await forged(entryPart(1, (entry) => ({ ...entry, task })))).toMatch(/belongs to task/);
  });

  test('an entry that breaks a law is refused', async () => {
    const done = { type: 'task-done', v: 1 };
    expect(await forged(entryPart(1, (entry) => ({ ...entry, events: [done] })))).toMatch(
      /The journal breaks a law/,
    );
  });

  test('a blob that nobody names, one that is missing and one that is late are found', async () => {
    const extra = { line: { blob: `sha256:${'0'.repeat(64)}`, bytes: 0 }, payload: Buffer.alloc(0) };
    await refusal(resealed(exchanged(2, part(2), extra)));
    expect(await forged(exchanged(2, part(2), part(2)))).toMatch(/is not the one that should come there/);
    expect(await forged(exchanged(2))).toMatch(/blob sha256:\w+ is missing/);
    const lastBlob = partsOf(file).length - 2;
    expect(await forged(exchanged(lastBlob))).toMatch(/blob sha256:\w+ is missing/);
    expect(await forged(exchanged(lastBlob, part(2), part(lastBlob)))).toMatch(
      /is not the one that should come there/,
    );
  });

  test('a journal that is left out, cut short or named twice is found', async () => {
    const own = partsOf(file).filter(({ line }) => 'entry' in line && line['task'] === task);
    const header = part(0).line as { journals: { task: string; seq: number }[]; entries: number };
    const [, second] = header.journals;
    const alone = { line: { ...header, journals: [second], entries: 3 } };
    expect(await forged([alone, ...own])).toMatch(/does not go on from where the journal before it ends/);
    const twice = { line: { ...header, journals: [second, second], entries: 6 } };
    expect(await forged(exchanged(0, twice))).toBe('its header names a journal twice.');
    expect(await forged(exchanged(0, { line: { ...header, entries: 5 } }))).toBe(
      'its header counts the entries wrong.',
    );
    const other = { line: { ...header, head: { ...(header as unknown as { head: object }).head, seq: 1 } } };
    expect(await forged(exchanged(0, other))).toBe('its header names two heads.');
    const until = placeOf(({ line }) => 'entry' in line && line['task'] === task);
    expect(await forged(partsOf(file).slice(0, until))).toMatch(/the journal of task \w+ is not complete/);
  });

  test('records that claim more than a record may hold are refused before they are read', async () => {
    const huge = { line: { ...part(1).line, bytes: 300_000 }, payload: part(1).payload ?? Buffer.alloc(0) };
    expect(await refusal(joined(exchanged(1, huge)))).toMatch(/has 300000 bytes, and 262144 is the limit/);
    const blob = { line: { ...part(2).line, bytes: 2 ** 40 }, payload: part(2).payload ?? Buffer.alloc(0) };
    expect(await refusal(joined(exchanged(2, blob)))).toMatch(/is the limit/);
  });
});

describe('exporting', () => {
  test('a task that is not there is refused, and a lost blob is not passed over', async () => {
    const at = stage();
    await expect(at.staffetta.export('tzzzzzzzzzzzz')).rejects.toMatchObject({ code: 'unknown-task' });
    const { leg, packets } = await told(at, ['one']);
    at.world.blobs.delete(packets[0] ?? 'sha256:');
    await expect(exported(at, leg.task)).rejects.toMatchObject({ code: 'blob-missing' });
  });

  test('it changes nothing, and what is written meanwhile does not matter', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    const still = await exported(at, leg.task);
    const { pieces } = await at.staffetta.export(leg.task);
    const parts: Uint8Array[] = [];
    for await (const piece of pieces) {
      if (parts.length === 2) await leg.note('meanwhile');
      parts.push(piece);
    }
    expect(Buffer.concat(parts).equals(still)).toBe(true);
  });

  test('five thousand hops and a transcript of ten megabytes arrive byte for byte, a piece at a time', async () => {
    const here = stage();
    const { leg } = await told(here, ['0']);
    await lengthen(here, leg.task, 5000);
    await leg.complete({ transcript: seededEntropy(4).bytes(10 * 1024 * 1024) });
    const { pieces, entries } = await here.staffetta.export(leg.task);
    const parts: Uint8Array[] = [];
    let most = 0;
    for await (const piece of pieces) {
      most = Math.max(most, piece.length);
      parts.push(piece);
    }
    expect(entries).toBe(5003);
    expect(most).toBeLessThan(2 * 1024 * 1024);
    const there = stage({ seed: 9 });
    expect((await importTask(there.context, from(Buffer.concat(parts), 65_536))).tasks).toMatchObject([
      { entries: 5003 },
    ]);
    expect([...there.world.blobs.keys()].toSorted()).toEqual([...here.world.blobs.keys()].toSorted());
    expect((await there.staffetta.verify(leg.task)).faults).toEqual([]);
  }, 120_000);
});

/** So many packets more, put there directly: sealing as many takes half a minute. */
async function lengthen({ context, store }: Stage, of: TaskId, hops: number): Promise<void> {
  const head = await store.journal.head(of);
  if (head === undefined) throw new Error('the task is not there');
  let state = await foldedAt(context, head);
  const packet = await readPacket(context, state.packet ?? 'sha256:');
  const entries: AdoptedEntry[] = [];
  for (let hop = 0; hop < hops; hop += 1) {
    const { seq, head: prev, packet: parent } = state;
    const claims = { next: `hop ${hop}` };
    const sealed = sealPacket({ ...packet, parent, head: { seq, digest: prev }, claims });
    await store.blobs.put(sealed.bytes, dawn);
    const entry: Entry = {
      v: 1,
      task: of,
      seq: seq + 1,
      prev,
      at: dawn,
      by: ada,
      generation: 1,
      events: [{ type: 'checkpoint-sealed', v: 1, packet: sealed.digest, parent, certification: 'valid' }],
    };
    const { body, digest } = sealEntry(entry);
    state = fold(state, entry, digest);
    entries.push({ task: of, seq: entry.seq, digest, body });
  }
  const { seq, digest, lease } = head;
  const beside = { snapshot: writeSnapshot(state), card: cardOf(state), lease };
  await store.journal.adopt({ task: of, after: { seq, digest }, entries, ...beside });
}
