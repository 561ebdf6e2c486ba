import { describe, expect, test } from 'vitest';
import { ada, bea, eve, quinn, seededEntropy, stage, type Stage } from '../../../test/support/world.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { sealPacket } from '../../core/packet/packet.ts';
import type { Store } from '../../ports/store.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { history, readPacket, transcript } from './history.ts';
import type { Leg } from '../verbs/leg.ts';
import type { PacketInput } from '../sealing/gather.ts';

const mebibyte = 1024 * 1024;

async function begin({ staffetta }: Stage): Promise<Leg> {
  return await staffetta.begin({ goal: 'x' }, { as: ada });
}

async function transcriptOf({ context }: Stage, leg: Leg): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of transcript(context, leg.task)) parts.push(part);
  return Buffer.concat(parts);
}

/** Hands back and forth, each leg leaving its own words; returns what was left in all. */
async function relay(at: Stage, hops: number): Promise<{ leg: Leg; said: Buffer }> {
  const entropy = seededEntropy(7);
  let leg = await begin(at);
  const said: Uint8Array[] = [];
  for (let hop = 0; hop < hops; hop += 1) {
    const next = hop % 2 === 0 ? bea : ada;
    const words = entropy.bytes(200 + hop);
    said.push(words);
    await leg.progress(hop);
    await leg.handoff({ to: `agent:${next.name}`, transcript: words, claims: { next: `hop ${hop}` } });
    const taken = await at.staffetta.take({ task: leg.task, as: next });
    if (taken === undefined) throw new Error('nothing to take');
    await taken.acknowledge();
    leg = taken;
  }
  return { leg, said: Buffer.concat(said) };
}

describe('P4: the history of every leg', () => {
  test('at depth two hundred it is there byte for byte, in order', async () => {
    const at = stage();
    const { leg, said } = await relay(at, 200);
    expect((await transcriptOf(at, leg)).equals(said)).toBe(true);
  });

  test('a hop stores its own new bytes only', async () => {
    const at = stage();
    await relay(at, 40);
    const words = Array.from({ length: 40 }, (_, hop) => 200 + hop).reduce((a, b) => a + b, 0);
    const stored = [...at.world.blobs.values()].reduce((sum, blob) => sum + blob.bytes.length, 0);
    const perHop = (stored - words) / 40;
    expect(perHop).toBeLessThan(1000);
  });

  test('entries come in order, each packet after the entry that sealed it, its words after the packet', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.checkpoint({ transcript: 'one' });
    await leg.note('x');
    await leg.handoff({ to: 'agent:bea', transcript: 'two' });
    const kinds: string[] = [];
    for await (const item of history(at.context, leg.task)) {
      if (item.kind === 'entry') kinds.push(`entry ${item.entry.seq}`);
      else if (item.kind === 'packet') kinds.push(`packet at ${item.packet.head.seq}`);
      else kinds.push(Buffer.from(item.bytes).toString());
    }
    expect(kinds).toEqual([
      'entry 0',
      'entry 1',
      'packet at 0',
      'one',
      'entry 2',
      'entry 3',
      'packet at 2',
      'two',
    ]);
  });

  test('a packet names its parent, its contract, and the head it witnessed', async () => {
    const at = stage();
    const leg = await begin(at);
    const first = await leg.checkpoint({ transcript: 'one' });
    const second = await leg.checkpoint();
    const packet = await readPacket(at.context, second.state.packet ?? 'sha256:');
    expect(packet).toMatchObject({
      parent: first.state.packet,
      contract: first.state.contract,
      head: { seq: 1, digest: first.state.head },
      generation: 1,
      from: ada,
      lane: 'execute',
      trigger: 'planned',
    });
  });

  test('nothing of a packet is lost on the way', async () => {
    const at = stage();
    const leg = await begin(at);
    const input: PacketInput = {
      claims: {
        done: ['a'],
        doing: ['b'],
        remaining: ['c'],
        decisions: [{ text: 'Oak.', why: 'It lasts.', rejected: ['Pine.'] }],
        failed: [{ what: 'Glue', why: 'Rain' }],
        blockers: ['d'],
        questions: [{ text: 'e', owner: 'agent:eve' }],
        next: 'f',
        summary: 'g',
      },
      artefacts: [{ path: 'fence.md', role: 'Plan', why: 'h' }],
      transcript: 'i',
      media: 'text/plain',
    };
    await leg.handoff({ ...input, to: 'lane:audit', trigger: 'context-limit' });
    const taken = await at.staffetta.take({ as: quinn });
    expect(taken?.received).toMatchObject({
      claims: input.claims,
      artefacts: input.artefacts,
      to: 'lane:audit',
      lane: 'audit',
      trigger: 'context-limit',
      transcript: [{ bytes: 1, media: 'text/plain' }],
    });
  });

  test('an empty packet still marks the place', async () => {
    const at = stage();
    const leg = await begin(at);
    const { state } = await leg.checkpoint();
    expect(state.packets).toBe(1);
    expect((await transcriptOf(at, leg)).length).toBe(0);
  });
});

describe('P4: the history of what a task needed', () => {
  test('comes first, each journal once and byte for byte, at any depth and through forks', async () => {
    const at = stage();
    const said: string[] = [];
    let layer: TaskId[] = [];
    for (let depth = 0; depth < 40; depth += 1) {
      const next: TaskId[] = [];
      for (const side of ['left', 'right']) {
        const leg = await at.staffetta.begin({ goal: `${side} ${depth}`, needs: layer }, { as: ada });
        said.push(`${side} ${depth}\n`);
        await leg.checkpoint({ transcript: said.at(-1) ?? '' });
        await leg.complete();
        next.push(leg.task);
      }
      layer = next;
    }
    const last = await at.staffetta.begin({ goal: 'last', needs: layer }, { as: ada });
    expect((await transcriptOf(at, last)).toString()).toBe(said.join(''));
    // A fork has what its origin needed, and where the origin is needed as well it is told once.
    const [origin = last.task, other = last.task] = layer;
    const { task } = await at.staffetta.fork(origin, {
      at: 'latest',
      why: 'Another way.',
      take: true,
      as: ada,
    });
    const fork = await at.staffetta.leg(task, { as: ada });
    await fork.checkpoint({ transcript: 'fork\n' });
    await fork.complete();
    const join = await at.staffetta.begin({ goal: 'join', needs: [task, other, origin] }, { as: ada });
    const left = said.slice(0, -1);
    expect((await transcriptOf(at, fork)).toString()).toBe(`${left.join('')}fork\n`);
    expect((await transcriptOf(at, join)).toString()).toBe(`${left.join('')}fork\n${said.at(-1) ?? ''}`);
  });
});

describe('P4: reading ahead', () => {
  test('what is sound is delivered up to the very piece that is not', async () => {
    const at = stage();
    const leg = await begin(at);
    for (const words of ['one', 'two', 'three']) await leg.checkpoint({ transcript: words });
    at.world.blobs.set(digestOf('three'), { bytes: Buffer.from('thr??'), putAt: 0 });
    const read: string[] = [];
    const reading = (async () => {
      for await (const part of transcript(at.context, leg.task)) read.push(Buffer.from(part).toString());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'corrupt' });
    expect(read).toEqual(['one', 'two']);
  });

  test('the same words left twice come twice, whatever the reader does with the first', async () => {
    const at = stage();
    const leg = await begin(at);
    for (let i = 0; i < 3; i += 1) await leg.checkpoint({ transcript: 'again' });
    const read: string[] = [];
    for await (const part of transcript(at.context, leg.task)) {
      read.push(Buffer.from(part).toString());
      part.fill(0);
    }
    expect(read).toEqual(['again', 'again', 'again']);
  });

  test('no more is held than a few packets and 1 MB of their words, and nothing is left out', async () => {
    const at = stage();
    const leg = await begin(at);
    const entropy = seededEntropy(5);
    const said = Array.from({ length: 40 }, (_, i) => entropy.bytes(i % 4 === 0 ? 200_000 : 50_000));
    for (const words of said) await leg.checkpoint({ transcript: words });
    const held: number[] = [];
    const { blobs } = at.store;
    const store: Store = {
      ...at.store,
      blobs: {
        ...blobs,
        async getMany(digests) {
          const all = await Promise.all(digests.map(async (digest) => await blobs.get(digest)));
          held.push(all.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0));
          return all;
        },
      },
    };
    const through = stage({ world: at.world, store });
    expect((await transcriptOf(through, leg)).equals(Buffer.concat(said))).toBe(true);
    expect(Math.max(...held)).toBeGreaterThan(mebibyte / 2);
    expect(Math.max(...held)).toBeLessThanOrEqual(mebibyte);
  });

  test('a store that cannot read many at once is read one by one', async () => {
    const at = stage();
    const { leg, said } = await relay(at, 20);
    const { getMany: _, ...blobs } = at.store.blobs;
    const through = stage({ world: at.world, store: { ...at.store, blobs } });
    expect((await transcriptOf(through, leg)).equals(said)).toBe(true);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('The pipe broke.');
}

describe('P4: long transcripts', () => {
  test.each([
    ['one byte less than a piece', mebibyte - 1, 1],
    ['exactly one piece', mebibyte, 1],
    ['one byte more', mebibyte + 1, 2],
    ['more than travels with the append', 5 * mebibyte + 3, 6],
  ])('%s reads back byte for byte', async (_what, size, chunks) => {
    const at = stage();
    const leg = await begin(at);
    const words = seededEntropy(size).bytes(size);
    const { state } = await leg.checkpoint({ transcript: words });
    const packet = await readPacket(at.context, state.packet ?? 'sha256:');
    expect(packet.transcript.map((chunk) => chunk.bytes).reduce((a, b) => a + b, 0)).toBe(size);
    expect(packet.transcript).toHaveLength(chunks);
    expect((await transcriptOf(at, leg)).equals(words)).toBe(true);
  });

  test('text is stored as its UTF-8 bytes', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.checkpoint({ transcript: 'é🧰\u0000' });
    expect((await transcriptOf(at, leg)).toString('utf8')).toBe('é🧰\u0000');
  });

  test('a stream in pieces of any size is cut into the same pieces as the whole', async () => {
    const words = Buffer.from(seededEntropy(3).bytes(2 * mebibyte + 777));
    async function* stream(step: number): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < words.length; at += step) yield words.subarray(at, at + step);
    }
    const digests = new Set<string>();
    for (const given of [words, stream(4096), stream(mebibyte + 1), stream(words.length)]) {
      const at = stage();
      const leg = await begin(at);
      await leg.checkpoint({ transcript: given });
      expect((await transcriptOf(at, leg)).equals(words)).toBe(true);
      digests.add([...at.world.blobs.keys()].toSorted().join());
    }
    expect(digests.size).toBe(1);
  });

  test('a stream that breaks leaves the task as it was', async () => {
    const at = stage();
    const leg = await begin(at);
    await expect(leg.handoff({ to: 'anyone', transcript: broken() })).rejects.toThrow('The pipe broke.');
    expect(await leg.state()).toMatchObject({ seq: 0, status: 'held', packets: 0 });
  });
});

test('P11: the same work at the same time gives byte-identical packets', async () => {
  const digests = [];
  for (let run = 0; run < 2; run += 1) {
    const at = stage();
    const leg = await begin(at);
    const { state } = await leg.checkpoint({ transcript: 'x', claims: { done: ['a'], next: 'b' } });
    digests.push(state.packet);
    const packet = await readPacket(at.context, state.packet ?? 'sha256:');
    expect(sealPacket(packet).digest).toBe(state.packet);
  }
  expect(digests[0]).toBe(digests[1]);
});

test('an oversized packet is refused and nothing is written', async () => {
  const at = stage();
  const leg = await begin(at);
  const long = Array.from({ length: 34 }, () => 'x'.repeat(32_000));
  await expect(leg.handoff({ to: 'anyone', claims: { done: long } })).rejects.toMatchObject({
    code: 'too-large',
  });
  expect(await leg.state()).toMatchObject({ seq: 0, status: 'held' });
});

test('a packet with words that are none is refused by the name of the field', async () => {
  const at = stage();
  const leg = await begin(at);
  await expect(leg.checkpoint({ claims: { next: ' ' } })).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'packet: claims.next: expected some text',
  });
});

test('a blob that the store has lost is named', async () => {
  const at = stage();
  const leg = await begin(at);
  const { state } = await leg.checkpoint({ transcript: 'x' });
  at.world.blobs.delete(state.packet ?? 'sha256:');
  await expect(transcriptOf(at, leg)).rejects.toMatchObject({
    code: 'blob-missing',
    details: { blob: state.packet },
  });
  await expect(at.staffetta.tell(leg.task, 'still works', { as: eve })).resolves.toBeDefined();
});
