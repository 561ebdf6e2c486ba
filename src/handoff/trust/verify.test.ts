/** P8: each kind of damage is found and named; what was altered and what is missing are told apart. */
import { describe, expect, test } from 'vitest';
import { ada, bea, eve, interrupted, stage, type Stage } from '../../../test/support/world.ts';
import type { MemoryTask } from '../../stores/memory/world.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { cardOf } from '../../core/task/card.ts';
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { entryDigest, sealEntry } from '../../core/journal/entry.ts';
import type { Event } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sealPacket, type Packet } from '../../core/packet/packet.ts';
import { writeSnapshot } from '../../core/journal/snapshot.ts';
import type { FeedEntry } from '../../ports/journal.ts';
import { readPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { verifyStore, verifyTask } from './verify.ts';

interface Sound extends Stage {
  readonly task: TaskId;
  readonly kept: MemoryTask;
}

/** Six entries, two packets, two legs; entry 4 is a message. */
async function sound(): Promise<Sound> {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  await leg.checkpoint({ transcript: 'first words' });
  await leg.handoff({ to: 'agent:bea', transcript: 'second words' });
  await at.staffetta.take({ as: bea });
  await at.staffetta.tell(leg.task, 'Use oak.', { as: eve });
  await at.staffetta.tell(leg.task, 'Please.', { as: eve });
  const kept = at.world.tasks.get(leg.task);
  if (kept === undefined) throw new Error('the task is not there');
  return { ...at, task: leg.task, kept };
}

async function faults(at: Sound): Promise<string[]> {
  const found = await verifyTask(at.context, at.task);
  return found.faults.map(({ kind, text }) => `${kind}: ${text.replaceAll(at.task, 'T')}`);
}

function entryAt(at: Sound, seq: number): FeedEntry {
  const entry = at.kept.entries[seq];
  if (entry === undefined) throw new Error(`there is no entry ${seq}`);
  return entry;
}

/** Appends an entry that fits the chain without asking `decide` or `fold`. */
async function forge(at: Sound, events: readonly Event[], blobs: Uint8Array[] = []): Promise<void> {
  const { state } = await load(at.context, at.task);
  const entry = {
    v: 1,
    task: at.task,
    seq: state.seq + 1,
    prev: state.head,
    at: state.updatedAt,
    by: ada,
    events,
  };
  const sealed = sealEntry({ ...entry, v: 1 });
  const snapshot = writeSnapshot({ ...state, seq: entry.seq, head: sealed.digest });
  await at.store.journal.append({
    task: at.task,
    seq: entry.seq,
    at: entry.at,
    ...sealed,
    snapshot,
    card: cardOf(state),
    lease: { keepUntil: 0 },
    blobs,
  });
}

async function latestPacket(at: Sound): Promise<{ digest: Digest; packet: Packet }> {
  const { state } = await load(at.context, at.task);
  const digest = state.packet ?? 'sha256:';
  return { digest, packet: await readPacket(at.context, digest) };
}

test('a sound store has no faults, and says what was looked at', async () => {
  const at = await sound();
  await at.staffetta.open({ goal: 'Another.' }, { as: eve });
  const signatures = { valid: 0, foreign: 0, unsigned: 2 };
  expect(await verifyStore(at.context)).toEqual({ tasks: 2, entries: 7, blobs: 7, signatures, faults: [] });
  expect(await verifyTask(at.context, at.task)).toEqual({
    tasks: 1,
    entries: 6,
    blobs: 6,
    signatures,
    faults: [],
  });
});

test('a task that does not exist cannot be verified', async () => {
  await expect(verifyTask(stage().context, 't000000000042')).rejects.toMatchObject({ code: 'unknown-task' });
});

describe('entries', () => {
  test('a flipped byte', async () => {
    const at = await sound();
    const entry = entryAt(at, 4);
    at.kept.entries[4] = { ...entry, body: entry.body.replace('oak', 'oaj') };
    expect(await faults(at)).toEqual(['integrity: Entry 4 of task T: its bytes do not match its digest.']);
  });

  test('an altered entry with a digest of its own', async () => {
    const at = await sound();
    const entry = entryAt(at, 4);
    const body = entry.body.replace('oak', 'elm');
    at.kept.entries[4] = { ...entry, body, digest: entryDigest(body) };
    expect(await faults(at)).toEqual([
      'integrity: Entry 5 of task T: it does not continue the entry before it.',
    ]);
  });

  test('a missing entry at the end, where the head is the last entry', async () => {
    const at = await sound();
    at.kept.entries.pop();
    expect(await faults(at)).toEqual([
      'integrity: The stored state of task T is not what its journal adds up to.',
    ]);
  });

  test('two entries that changed places', async () => {
    const at = await sound();
    const [four, five] = [entryAt(at, 4), entryAt(at, 5)];
    at.kept.entries.splice(4, 2, { ...five, seq: 4 }, { ...four, seq: 5 });
    const found = await faults(at);
    expect(found).toContain('integrity: Entry 4 of task T: it says it is number 5.');
    expect(found).toContain('integrity: Entry 5 of task T: it says it is number 4.');
  });

  test('an entry that is there twice', async () => {
    const at = await sound();
    at.kept.entries.splice(5, 0, entryAt(at, 4));
    expect(await faults(at)).toContain('integrity: Entry 4 of task T: it stands at 4 where 5 was expected.');
  });

  test('bytes that are no JSON, or no entry', async () => {
    for (const body of ['{', 'null', '[]', '{"v":1}']) {
      const at = await sound();
      at.kept.entries[4] = { ...entryAt(at, 4), body };
      const found = await faults(at);
      expect(found[0]).toBe('integrity: Entry 4 of task T: its bytes do not match its digest.');
      expect(found.some((fault) => fault.includes('A journal entry'))).toBe(true);
    }
  });

  test('an event from the future is named as such', async () => {
    const at = await sound();
    const entry = JSON.parse(entryAt(at, 5).body) as { events: unknown[] };
    const body = canonical({ ...entry, events: [{ type: 'task-teleported', v: 1 }] });
    at.kept.entries[5] = { ...entryAt(at, 5), body, digest: entryDigest(body) };
    expect(await faults(at)).toContain(
      'integrity: Entry 5 of task T: The journal holds an event this version does not know: task-teleported v1.',
    );
  });

  test('every fault names its task and its entry', async () => {
    const at = await sound();
    at.kept.entries[4] = { ...entryAt(at, 4), body: '{' };
    const { faults: found } = await verifyTask(at.context, at.task);
    expect(found.length).toBeGreaterThan(0);
    for (const fault of found) expect(fault).toMatchObject({ task: at.task, seq: 4 });
  });
});

describe('what a journal says', () => {
  test('an entry that fits the chain and breaks a law', async () => {
    const at = await sound();
    const events: Event[] = [
      { type: 'leg-started', v: 1, generation: 9, offer: null, lane: 'execute', leaseMs: 1, leaseUntil: 1 },
    ];
    await forge(at, events);
    expect(await faults(at)).toEqual([
      'integrity: Entry 6 of task T: The journal breaks a law: a task has at most one holder.',
    ]);
  });

  test('the journal of another task in its place', async () => {
    const at = await sound();
    const other = await at.staffetta.open({ goal: 'Another.' }, { as: eve });
    const theirs = at.world.tasks.get(other.task);
    if (theirs === undefined) throw new Error('the task is not there');
    at.world.tasks.set(at.task, theirs);
    expect(await faults(at)).toContain(`integrity: Entry 0 of task T: it belongs to task ${other.task}.`);
  });

  test('a state beside the head that the journal does not add up to', async () => {
    const at = await sound();
    const { state } = await load(at.context, at.task);
    at.kept.snapshot = writeSnapshot({ ...state, rework: 7 });
    expect(await faults(at)).toEqual([
      'integrity: The stored state of task T is not what its journal adds up to.',
    ]);
    at.kept.snapshot = 'damaged';
    expect(await faults(at)).toHaveLength(1);
  });

  test('a head that was set back, so that the last entries are not seen', async () => {
    const at = await sound();
    const head = await at.store.journal.head(at.task);
    await at.staffetta.tell(at.task, 'Newer.', { as: eve });
    const journal = { ...at.store.journal, head: async () => head };
    const found = await verifyTask({ ...at.context, store: { ...at.store, journal } }, at.task);
    expect(found.faults).toEqual([
      {
        kind: 'integrity',
        task: at.task,
        seq: 6,
        text: `Task ${at.task} has an entry 6, but its head is at 5.`,
      },
    ]);
  });

  test('a task that is written to meanwhile is no fault, whenever it happens', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const at = await sound();
      const { stage: busy, happened } = interrupted(at, nth, async () => {
        await at.staffetta.tell(at.task, 'Newer.', { as: eve });
      });
      expect((await verifyTask(busy.context, at.task)).faults).toEqual([]);
      happens = happened();
    }
  });

  test('a key that leads to an entry which was not written with it', async () => {
    const at = await sound();
    at.world.tasks.get(at.task)?.keys.set('forged', 2);
    expect((await verifyTask(at.context, at.task)).faults).toEqual([
      {
        kind: 'integrity',
        task: at.task,
        seq: 2,
        text: `The idempotency key "forged" of task ${at.task} leads to entry 2, which was not written with it.`,
      },
    ]);
  });

  test('a head that names another entry', async () => {
    const at = await sound();
    const head = await at.store.journal.head(at.task);
    if (head === undefined) throw new Error('the task is not there');
    const journal = { ...at.store.journal, head: async () => ({ ...head, digest: digestOf('x') }) };
    const found = await verifyTask({ ...at.context, store: { ...at.store, journal } }, at.task);
    expect(found.faults[0]).toMatchObject({
      kind: 'integrity',
      text: `The head of task ${at.task} names another entry 5 than the journal holds.`,
    });
  });
});

describe('blobs', () => {
  test('a lost contract, packet or piece of transcript is missing, not altered', async () => {
    const at = await sound();
    const { digest, packet } = await latestPacket(at);
    const piece = packet.transcript[0]?.blob ?? 'sha256:';
    for (const lost of [packet.contract, digest, piece]) {
      const kept = at.world.blobs.get(lost);
      at.world.blobs.delete(lost);
      const { faults: found } = await verifyTask(at.context, at.task);
      expect(found.length).toBeGreaterThan(0);
      for (const fault of found) {
        expect(fault).toMatchObject({ kind: 'completeness', task: at.task, blob: lost });
        expect(fault.text).toContain(`names ${lost}, which is missing`);
      }
      if (kept !== undefined) at.world.blobs.set(lost, kept);
    }
    expect((await verifyTask(at.context, at.task)).faults).toEqual([]);
  });

  test('a flipped bit or a cut end of a blob is an alteration', async () => {
    const at = await sound();
    for (const [digest, blob] of at.world.blobs) {
      const flipped = Uint8Array.from(blob.bytes);
      flipped[0] = (flipped[0] ?? 0) ^ 1;
      for (const bytes of [flipped, blob.bytes.subarray(0, -1), new Uint8Array(0)]) {
        at.world.blobs.set(digest, { ...blob, bytes });
        const { faults: found } = await verifyTask(at.context, at.task);
        expect(found.length).toBeGreaterThan(0);
        for (const fault of found) expect(fault).toMatchObject({ kind: 'integrity', blob: digest });
      }
      at.world.blobs.set(digest, blob);
    }
  });

  test('both kinds of damage at once are reported apart', async () => {
    const at = await sound();
    const { digest } = await latestPacket(at);
    at.world.blobs.delete(digest);
    at.kept.entries[4] = { ...entryAt(at, 4), body: entryAt(at, 4).body.replace('oak', 'oaj') };
    const { faults: found } = await verifyTask(at.context, at.task);
    expect(new Set(found.map((fault) => fault.kind))).toEqual(new Set(['integrity', 'completeness']));
  });
});

async function sealedWith(at: Sound, change: Partial<Packet>): Promise<string[]> {
  const { digest, packet } = await latestPacket(at);
  const { state } = await load(at.context, at.task);
  const head = { seq: state.seq, digest: state.head };
  const { bytes, digest: forged } = sealPacket({ ...packet, parent: digest, head, ...change });
  const event: Event = {
    type: 'checkpoint-sealed',
    v: 1,
    packet: forged,
    parent: digest,
    certification: 'ready',
  };
  await forge(at, [event], [bytes]);
  return (await faults(at)).filter((fault) => !fault.includes('adds up to'));
}

describe('packets', () => {
  test('one that fits is no fault', async () => {
    expect(await sealedWith(await sound(), {})).toEqual([]);
  });

  test('one that continues another packet than the journal says', async () => {
    const found = await sealedWith(await sound(), { parent: null });
    expect(found).toEqual([
      expect.stringMatching(/^integrity: Packet .* does not continue the packet before it/),
    ]);
  });

  test('one of another task', async () => {
    const found = await sealedWith(await sound(), { task: 't000000000042' });
    expect(found).toEqual([expect.stringMatching(/^integrity: Packet .* does not continue/)]);
  });

  test('one that witnessed another journal', async () => {
    const found = await sealedWith(await sound(), { head: { seq: 2, digest: digestOf('x') } });
    expect(found).toEqual([expect.stringMatching(/^integrity: Packet .* witnessed another entry 2/)]);
  });

  test('bytes that are no packet', async () => {
    const at = await sound();
    const { digest } = await latestPacket(at);
    const bytes = Buffer.from('not a packet');
    const event: Event = {
      type: 'checkpoint-sealed',
      v: 1,
      packet: digestOf(bytes),
      parent: digest,
      certification: 'ready',
    };
    await forge(at, [event], [bytes]);
    expect(await faults(at)).toContain(`integrity: Packet ${digestOf(bytes)}: A stored packet is not JSON.`);
  });
});

test('faults of the storage itself are faults of the store', async () => {
  const at = await sound();
  const torn = { kind: 'integrity', text: 'page 7 is torn' } as const;
  const upkeep = { ...at.store.upkeep, check: async () => [torn] };
  const found = await verifyStore({ ...at.context, store: { ...at.store, upkeep } });
  expect(found.faults).toEqual([torn]);
});

test('damage in one task does not hide damage in another', async () => {
  const at = await sound();
  const other = await at.staffetta.begin({ goal: 'Another.' }, { as: ada });
  at.kept.entries[4] = { ...entryAt(at, 4), body: '{' };
  const theirs = at.world.tasks.get(other.task);
  if (theirs !== undefined) theirs.snapshot = 'damaged';
  const { faults: found } = await verifyStore(at.context);
  expect(new Set(found.map((fault) => fault.task))).toEqual(new Set([at.task, other.task]));
});
