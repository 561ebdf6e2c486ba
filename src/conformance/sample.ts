import type { Card } from '../core/task/card.ts';
import { digestOf } from '../core/journal/digest.ts';
import { taskIdFrom, type TaskId } from '../core/journal/id.ts';
import type { Append, Head, ListedCard, StoredEntry } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import { check } from './case.ts';

/** An arbitrary moment; all times of the cases are near it, none is asked of a clock. */
export const noon = 1_750_000_000_000;

const digest = digestOf('a blob');

/** An entry as the core writes it: what a store that packs well-known words will pack. */
const entry = `{"at":${noon},"by":{"kind":"agent","lane":"execute","name":"ada"},"events":[{"certification":"valid","packet":"${digest}","parent":"${digest}","type":"checkpoint-sealed","v":1},{"generation":3,"outcome":"handed-off","type":"leg-ended","v":1},{"attempt":1,"cause":"handoff","lane":"audit","offer":4,"packet":"${digest}","to":"agent:bob","trigger":"planned","type":"offer-made","v":1}],"generation":3,"prev":"${digest}","seq":12,"task":"t0123456789ab","v":1}`;

/** Texts that a careless store changes: order, width, case, composition, escapes, invisible and astral characters. */
export const oddTexts: readonly string[] = [
  entry,
  `${entry}\n`,
  `{"many":[${Array.from({ length: 300 }, () => `"${digest}"`).join(',')}]}`,
  `{"bare":${digest},"long":"${digest}0","short":"${digest.slice(0, -1)}","upper":"${digest.toUpperCase()}"}`,
  '{"raw":"\u0001\u0002\u0008\u001a\u001f\u007f"}',
  '{',
  '{"b":1,"a":2.50}',
  ' leading, trailing and  double spaces ',
  'tab\tand line\nand return\r\nand nothing else\n',
  'quotes \' " ` and \\ backslash \\u0041 %_*?[a-z];--',
  '\ufeffa byte order mark',
  'cafe\u0301 composed otherwise: caf\u00e9',
  'separators \u2028 \u2029 \u0085 and a soft\u00adhyphen',
  'קדימה and עוד, right to left \u202eesrever\u202c',
  '👩‍👩‍👧‍👦 🏁 \u{10ffff} \uffff',
  '1e3',
  'null',
];

export function sampleTask(n: number): TaskId {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n) * 0x9e37_79b9_7f4a_7c15n, true);
  return taskIdFrom(bytes);
}

export function sampleCard(task: TaskId, over: Partial<Card> = {}): Card {
  return {
    task,
    title: 'Carry the dispatch through the lines',
    status: 'open',
    lane: null,
    holder: null,
    generation: 0,
    to: null,
    notBefore: null,
    expiresAt: null,
    openedAt: noon,
    updatedAt: noon,
    seq: 0,
    dead: false,
    waiting: 0,
    ...over,
  };
}

/** An entry as a verb would append it; without a lease unless told. */
export function sampleAppend(task: TaskId, seq: number, over: Partial<Append> = {}): Append {
  const body = over.body ?? `{"seq":${seq},"task":"${task}"}`;
  return {
    task,
    seq,
    digest: digestOf(body),
    body,
    at: noon + seq,
    snapshot: `{"folded":${seq}}`,
    card: sampleCard(task, { seq, updatedAt: noon + seq }),
    lease: { clear: true },
    ...over,
  };
}

/** Appends that must succeed for the case to mean anything. */
export async function appendAll(store: Store, ...appends: readonly Append[]): Promise<void> {
  for (const append of appends) {
    const { stored } = await store.journal.append(append);
    check(stored, `the append of seq ${append.seq} to ${append.task} was refused`);
  }
}

export async function appendSome(store: Store, task: TaskId, count: number): Promise<Append[]> {
  const appends = numbers(count).map((seq) => sampleAppend(task, seq));
  await appendAll(store, ...appends);
  return appends;
}

/** A task opened with a card of its own and, if given, a lease. */
export async function openTask(
  store: Store,
  task: TaskId,
  over: Partial<Card> & { readonly leaseUntil?: number } = {},
): Promise<Append> {
  const { leaseUntil, ...card } = over;
  const append = sampleAppend(task, 0, {
    card: sampleCard(task, card),
    lease: leaseUntil === undefined ? { clear: true } : { set: { generation: 1, until: leaseUntil } },
  });
  await appendAll(store, append);
  return append;
}

/** What the contract speaks of, whatever else an adapter returns with it. */
export function entryOf({ task, seq, digest, body }: StoredEntry): StoredEntry {
  return { task, seq, digest, body };
}

export function headAfter(append: Append, lease: Head['lease'] = null): Head {
  return { task: append.task, seq: append.seq, digest: append.digest, snapshot: append.snapshot, lease };
}

export function tasksOf(cards: readonly ListedCard[]): TaskId[] {
  return cards.map((card) => card.task);
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Bytes that no codec makes smaller, the same for the same seed. */
export function noise(length: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let word = (seed * 2_654_435_761) >>> 0 || 1;
  for (let i = 0; i < words.length; i += 1) {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    words[i] = word;
  }
  return new Uint8Array(words.buffer, 0, length);
}

/** Bytes that every codec makes smaller. */
export function prose(length: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(length, 'the baton is passed, the baton is held; '));
}
