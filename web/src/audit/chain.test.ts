import { expect, test } from 'vitest';
import { canonical } from '../../../src/core/journal/canonical.ts';
import { digestOf } from '../../../src/core/journal/digest.ts';
import { sealPacket, type Packet } from '../../../src/core/packet/packet.ts';
import { ada, stage } from '../../../test/support/world.ts';
import { canonicalText, linksOf, packetDigest, type StoredEntry } from './chain.ts';

async function journal(): Promise<{
  task: string;
  entries: StoredEntry[];
  head: string;
  packet: Packet;
  digest: string;
}> {
  const { staffetta, store, context } = stage();
  const leg = await staffetta.begin({ goal: 'Größe: the fence stands.' }, { as: ada });
  await leg.note('first');
  await leg.note('second');
  await leg.checkpoint({ claims: { next: 'nail ✓' } });
  const head = await store.journal.head(leg.task);
  const entries = await store.journal.read(leg.task, 0, 100);
  const state = await staffetta.show(leg.task);
  void context;
  const digest = state.packet as unknown as string;
  const packet = await staffetta.packet(digest as never);
  return { task: leg.task, entries: [...entries], head: head?.digest ?? '', packet, digest };
}

test('a journal as it was written holds, up to its head', async () => {
  const { task, entries, head } = await journal();
  const links = await linksOf(task, entries, undefined);
  expect(links.map(({ fault }) => fault)).toEqual(entries.map(() => null));
  expect(links.at(-1)?.digest).toBe(head);
});

test('the chain can be computed in pieces', async () => {
  const { task, entries } = await journal();
  const first = await linksOf(task, entries.slice(0, 2), undefined);
  const rest = await linksOf(task, entries.slice(2), first.at(-1));
  expect([...first, ...rest]).toEqual(await linksOf(task, entries, undefined));
});

test('one changed letter is found, and named', async () => {
  const { task, entries } = await journal();
  const changed = entries.map((entry) => ({ ...entry, body: entry.body.replace('first', 'f1rst') }));
  const links = await linksOf(task, changed, undefined);
  const broken = links.find(({ fault }) => fault !== null);
  expect(broken?.fault).toBe('its bytes do not have the digest it is stored under');
  expect(changed[broken?.seq ?? 0]?.body).toContain('f1rst');
});

test('an entry that was changed with its digest breaks the one after it', async () => {
  const { task, entries } = await journal();
  const at = entries.findIndex(({ body }) => body.includes('first'));
  const body = entries[at]?.body.replace('first', 'f1rst') ?? '';
  const digest = (await linksOf(task, [{ seq: at, digest: '', body }], undefined))[0]?.digest ?? '';
  const forged = entries.with(at, { seq: at, digest, body });
  const links = await linksOf(task, forged, undefined);
  expect(links[at]?.fault).toBeNull();
  expect(links[at + 1]?.fault).toBe('it does not continue the entry before it');
});

test('a missing entry, and one of another task, are found', async () => {
  const { task, entries } = await journal();
  const missing = await linksOf(task, entries.toSpliced(1, 1), undefined);
  expect(missing[1]?.fault).toBe('it is not entry 1');
  const foreign = await linksOf('t000000000000', entries, undefined);
  expect(foreign[0]?.fault).toBe('it belongs to another task');
});

test('the digest of a packet comes out of its fields', async () => {
  const { packet, digest } = await journal();
  expect(sealPacket(packet).digest).toBe(digest);
  expect(await packetDigest(JSON.parse(JSON.stringify(packet)))).toBe(digest);
});

test('canonical text is that of the store', () => {
  const value = {
    b: [1, 0.5, 1e21, -0, true, null],
    a: { '\u{1f600}': 'é\n"\\', '\uffff': '', z: 'x' },
    A: [],
  };
  expect(canonicalText(value)).toBe(canonical(value));
  expect(digestOf(Buffer.from(canonicalText(value)))).toBe(digestOf(Buffer.from(canonical(value))));
});
