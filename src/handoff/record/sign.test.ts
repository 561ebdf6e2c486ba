/** P8, with keys: a forger who rewrites a journal and computes every digest again is found out by a signature, or by what somebody kept. */
import { describe, expect, test } from 'vitest';
import { exported, from, partsOf, resealed } from '../../../test/support/exports.ts';
import { fixedSigner } from '../../../test/support/fixed-signer.ts';
import { ada, bea, eve, stage, type Stage } from '../../../test/support/world.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { cardOf } from '../../core/task/card.ts';
import { preAuthEncoding } from '../../core/trust/attestation.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isSignedBy } from '../../core/trust/ed25519.ts';
import { parseEntry, sealEntry, type Entry } from '../../core/journal/entry.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { parsePacket, sealPacket } from '../../core/packet/packet.ts';
import { writeSnapshot } from '../../core/journal/snapshot.ts';
import type { TaskState } from '../../core/task/state.ts';
import { envelopes } from '../trust/envelopes.ts';
import { readBlob, readPacket } from '../history/history.ts';
import { importTask } from '../trust/import.ts';
import { load } from './load.ts';
import { verifyTask } from '../trust/verify.ts';
import { witnessFrom, type SeenHead } from '../../core/trust/witness.ts';
import { heldToSeen, witnessFaults } from '../trust/witness.ts';

/** A note, a checkpoint, a submission and an approval: two packets, three signatures. */
async function approved(): Promise<Stage & { readonly task: TaskId }> {
  const at = stage({ signer: fixedSigner });
  const leg = await at.staffetta.begin({ goal: 'The fence stands.', review: { human: true } }, { as: ada });
  await leg.note('the oak is wet');
  await leg.checkpoint({ transcript: 'words' });
  const { state } = await leg.submit({ claims: { done: ['posts'] } });
  await at.staffetta.review(leg.task, { approve: true, packet: state.packet }, { as: eve });
  return { ...at, task: leg.task };
}

/** The same journal with other words in it, every digest computed again, in a store of its own. */
async function rewritten(at: Stage, task: TaskId, change: (entry: Entry) => Entry): Promise<Stage> {
  const forged = stage({ signer: fixedSigner });
  const packets = new Map<Digest, Digest>();
  let state: TaskState | undefined;
  const entries = [];
  for (const { body } of await at.store.journal.read(task, 0, 100)) {
    const before: TaskState | undefined = state;
    const changed = change(parseEntry(body));
    const events = [];
    for (const event of changed.events) {
      if (event.type !== 'checkpoint-sealed' || before === undefined) {
        events.push(JSON.parse(moved(JSON.stringify(event), packets)) as typeof event);
        continue;
      }
      const bytes = await readBlob(at.context, event.packet);
      const packet = parsePacket(Buffer.from(moved(Buffer.from(bytes).toString(), packets)));
      const sealed = sealPacket({ ...packet, head: { seq: before.seq, digest: before.head } });
      packets.set(event.packet, sealed.digest);
      await forged.store.blobs.put(sealed.bytes, 1);
      events.push({ ...event, packet: sealed.digest, parent: before.packet });
    }
    const sealed = sealEntry({ ...changed, prev: before?.head ?? null, events });
    state = fold(before, parseEntry(sealed.body), sealed.digest);
    entries.push({ task, seq: changed.seq, ...sealed });
  }
  for (const { digest } of await at.store.blobs.list(undefined, 1000))
    await forged.store.blobs.put(await readBlob(at.context, digest), 1);
  if (state === undefined) throw new Error('there is no journal');
  const { store } = forged;
  const adoption = {
    task,
    after: null,
    entries,
    snapshot: writeSnapshot(state),
    card: cardOf(state),
    lease: null,
  };
  expect(await store.journal.adopt(adoption)).toEqual({ stored: true });
  return forged;
}

function moved(text: string, packets: ReadonlyMap<Digest, Digest>): string {
  return [...packets].reduce((all, [old, fresh]) => all.replaceAll(old, fresh), text);
}

const elm = (entry: Entry): Entry => JSON.parse(JSON.stringify(entry).replace('oak', 'elm')) as Entry;
const unsigned = (entry: Entry): Entry => ({
  ...entry,
  events: entry.events.filter(({ type }) => type !== 'signed'),
});

describe('signing', () => {
  test('checkpoints and approvals are signed when they are written, by their writer', async () => {
    const at = await approved();
    const found = await verifyTask(at.context, at.task);
    expect(found).toMatchObject({ faults: [], signatures: { valid: 3, foreign: 0, unsigned: 0 } });
    const stored = await at.store.journal.read(at.task, 0, 100);
    const types = stored.map(({ body }) => parseEntry(body).events.map(({ type }) => type));
    expect(types.slice(2)).toEqual([
      ['checkpoint-sealed', 'signed'],
      ['checkpoint-sealed', 'signed', 'leg-ended', 'submitted'],
      ['review-approved', 'signed', 'task-done'],
    ]);
  });

  test('a dry run signs nothing, and without a signer nothing is signed', async () => {
    let asked = 0;
    const sign: typeof fixedSigner.sign = async (by, bytes) => {
      asked += 1;
      return await fixedSigner.sign(by, bytes);
    };
    const at = stage({ signer: { ...fixedSigner, sign } });
    const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
    await leg.checkpoint({}, { dryRun: true });
    expect(asked).toBe(0);
    const mute = stage({ signer: { ...fixedSigner, sign: async () => undefined } });
    const other = await mute.staffetta.begin({ goal: 'Oak.' }, { as: ada });
    await other.checkpoint({});
    expect((await verifyTask(mute.context, other.task)).signatures).toEqual({
      valid: 0,
      foreign: 0,
      unsigned: 1,
    });
  });

  test('keys that are not known here as the writer’s are counted, and are no fault', async () => {
    const at = await approved();
    const elsewhere = { ...at.context, signer: { ...fixedSigner, knows: async () => false } };
    const found = await verifyTask(elsewhere, at.task);
    expect(found).toMatchObject({ faults: [], signatures: { valid: 3, foreign: 3 } });
  });

  test('other tools get DSSE envelopes that fit their public keys', async () => {
    const at = await approved();
    const types: string[] = [];
    for await (const { payload, payloadType, signatures, publicKey } of envelopes(at.context, at.task)) {
      const statement = Buffer.from(payload, 'base64').toString();
      const bytes = preAuthEncoding(payloadType, statement);
      expect(isSignedBy(Buffer.from(publicKey, 'base64'), bytes, signatures[0]?.sig ?? '')).toBe(true);
      types.push((JSON.parse(statement) as { predicateType: string }).predicateType);
    }
    expect(types).toEqual([
      'urn:staffetta:checkpoint:v1',
      'urn:staffetta:checkpoint:v1',
      'urn:staffetta:approval:v1',
    ]);
  });
});

describe('a journal that was rewritten with every digest computed again', () => {
  test('is found out by its signatures', async () => {
    const at = await approved();
    const forged = await rewritten(at, at.task, elm);
    const { faults } = await verifyTask(forged.context, at.task);
    expect(faults.map(({ seq, text }) => [seq, /the signature of its (\w+)/.exec(text)?.[1]])).toEqual([
      [2, 'checkpoint'],
      [3, 'checkpoint'],
      [4, 'approval'],
    ]);
  });

  test('is sound in itself without them, and says that nothing is signed', async () => {
    const at = await approved();
    const forged = await rewritten(at, at.task, (entry) => unsigned(elm(entry)));
    const found = await verifyTask(forged.context, at.task);
    expect(found).toMatchObject({ faults: [], signatures: { valid: 0, unsigned: 3 } });
  });

  test('is found out by a packet, an answer, an export or an envelope that somebody kept', async () => {
    const at = await approved();
    const { state } = await load(at.context, at.task);
    const packet = JSON.stringify(await readPacket(at.context, state.packet ?? state.contract));
    const answer = JSON.stringify({ task: at.task, seq: state.seq, head: state.head });
    const file = (await exported(at, at.task)).toString('latin1');
    const kept = [packet, JSON.stringify({ packet: JSON.parse(packet) as unknown }), answer, file];
    for await (const envelope of envelopes(at.context, at.task)) kept.push(canonical(envelope));
    expect(kept).toHaveLength(7);
    const forged = await rewritten(at, at.task, (entry) => unsigned(elm(entry)));
    for (const text of kept) {
      const witness = witnessFrom(text);
      expect(witness.task).toBe(at.task);
      expect(await witnessFaults(at.context, witness, 'bea')).toEqual([]);
      expect(await witnessFaults(forged.context, witness, 'bea')).toMatchObject([
        { kind: 'integrity', seq: witness.seq, text: expect.stringContaining('that bea saw') },
      ]);
    }
  });

  test('what witnesses nothing is refused', () => {
    for (const text of [
      '',
      'words',
      '{}',
      '{"task":"t000000000001"}',
      '{"payloadType":"application/vnd.in-toto+json","payload":"e30="}',
    ])
      expect(() => witnessFrom(text)).toThrow(/no head of a journal/);
  });
});

describe('what was seen last', () => {
  const kept = new Map<TaskId, SeenHead>();
  const heads = {
    read: async () => kept,
    write: async (seen: ReadonlyMap<TaskId, SeenHead>) => {
      kept.clear();
      for (const [task, one] of seen) kept.set(task, one);
    },
  };
  const look = { faulty: new Set<TaskId>(), anew: false, remember: true };

  test('is still there, or the difference is named until somebody says that it is meant so', async () => {
    const at = await approved();
    const tasks = [at.task];
    expect(await heldToSeen(at.context, heads, { ...look, tasks })).toEqual([]);
    const forged = await rewritten(at, at.task, elm);
    const [fault] = await heldToSeen(forged.context, heads, { ...look, tasks });
    expect(fault).toMatchObject({
      kind: 'integrity',
      text: expect.stringContaining('the last verification'),
    });
    expect(await heldToSeen(forged.context, heads, { ...look, tasks })).toHaveLength(1);
    expect(await heldToSeen(forged.context, heads, { ...look, tasks, anew: true })).toEqual([]);
    expect(await heldToSeen(forged.context, heads, { ...look, tasks })).toEqual([]);
  });

  test('a journal that is shorter now was cut off', async () => {
    const at = await approved();
    const before = stage({ signer: fixedSigner });
    kept.set(at.task, { task: at.task, seq: 40, digest: `sha256:${'0'.repeat(64)}`, at: 1 });
    expect(await heldToSeen(at.context, heads, { ...look, tasks: [at.task] })).toMatchObject([
      { kind: 'completeness', seq: 40 },
    ]);
    kept.clear();
    expect(await heldToSeen(before.context, heads, { ...look, tasks: [at.task] })).toEqual([]);
  });

  test('a task that is gone is missed until it is back or somebody says that it is meant so, unless it was swept', async () => {
    const at = await approved();
    const gone = stage({ signer: fixedSigner });
    const all = { ...look, tasks: [], all: true };
    kept.clear();
    await heldToSeen(at.context, heads, { ...look, tasks: [at.task] });
    for (let i = 0; i < 2; i += 1)
      expect(await heldToSeen(gone.context, heads, all)).toMatchObject([
        { kind: 'completeness', task: at.task, text: expect.stringContaining('is gone') },
      ]);
    expect(await heldToSeen(at.context, heads, { ...all, tasks: [at.task] })).toEqual([]);
    expect(await heldToSeen(gone.context, heads, { ...all, anew: true })).toEqual([]);
    expect(kept.size).toBe(0);
    await heldToSeen(at.context, heads, { ...look, tasks: [at.task] });
    const head = await at.context.store.journal.head(at.task);
    await at.context.store.journal.remove(at.task, head?.seq ?? 0, 0);
    expect(await heldToSeen(at.context, heads, all)).toEqual([]);
    expect(kept.size).toBe(0);
  });
});

describe('an export', () => {
  test('carries signatures and public keys, and import counts those that fit', async () => {
    const at = await approved();
    const file = await exported(at, at.task);
    const there = stage({ seed: 4 });
    const imported = await importTask(there.context, from(file));
    expect(imported.signatures).toEqual({ valid: 3, unsigned: 0 });
    expect((await verifyTask(there.context, at.task)).signatures).toEqual({
      valid: 3,
      foreign: 3,
      unsigned: 0,
    });
  });

  test('with a signature over something else is refused, though every digest fits', async () => {
    const at = await approved();
    const forged = await rewritten(at, at.task, elm);
    const file = await exported(forged, at.task);
    const there = stage({ seed: 4 });
    await expect(importTask(there.context, from(file))).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('entry 2 of task'),
    });
  });

  test('without the key that signed is refused', async () => {
    const at = await approved();
    const parts = partsOf(await exported(at, at.task));
    const keyAt = parts.findIndex(({ payload }) => payload?.length === 44);
    const bytes = resealed(parts.toSpliced(keyAt, 1));
    await expect(importTask(stage({ seed: 4 }).context, from(bytes))).rejects.toMatchObject({
      code: 'corrupt',
    });
  });
});

test('signatures are not taken for secrets on import', async () => {
  const at = stage({ signer: fixedSigner });
  const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: bea });
  for (let n = 0; n < 100; n += 1) await leg.checkpoint({ claims: { next: `post ${n}` } });
  const imported = await importTask(stage({ seed: 3 }).context, from(await exported(at, leg.task)));
  expect(imported.signatures.valid).toBe(100);
});
