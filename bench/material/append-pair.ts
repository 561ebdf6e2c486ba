/** An offer and its acceptance as two appends to a store, as the product writes them, for measures of the store alone. */
import { openStaffetta } from '../../src/index.ts';
import type { Append } from '../../src/ports/journal.ts';
import type { Store } from '../../src/ports/store.ts';
import { prose } from './content.ts';

export interface Pair {
  readonly offer: Append;
  readonly accept: Append;
  readonly bytes: readonly [number, number];
}

/** An offer and an acceptance as the product writes them, with a packet of 4 KB. */
export async function realPair(): Promise<Pair> {
  const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
  const written: Append[] = [];
  const { journal } = relay.store;
  const store: Store = {
    ...relay.store,
    journal: new Proxy(journal, {
      get: (target, name): unknown =>
        name === 'append'
          ? async (append: Append) => {
              written.push(append);
              return await target.append(append);
            }
          : Reflect.get(target, name),
    }),
  };
  const watched = await openStaffetta({ gate: 'record', store });
  const leg = await watched.begin({ goal: 'Carry the context' }, { as: 'ada' });
  await leg.acknowledge();
  written.length = 0;
  await leg.handoff({ to: 'agent:bea', claims: { done: [prose(3500)], next: 'Go on.' } });
  await watched.take({ as: 'bea' });
  const [offer, accept] = written;
  if (offer === undefined || accept === undefined) throw new Error('nothing was written');
  return { offer, accept, bytes: [bytesOf(offer), bytesOf(accept)] };
}

function bytesOf({ body, snapshot, card, blobs = [] }: Append): number {
  const content = blobs.reduce((sum, bytes) => sum + bytes.length, 0);
  return body.length + snapshot.length + JSON.stringify(card).length + content;
}

/** As many bytes, and other ones for each task. */
function itsOwn(task: string, bytes: Uint8Array): Uint8Array {
  const own = Buffer.from(bytes);
  own.write(task, Math.max(0, own.length - 2 * task.length));
  return own;
}

/**
 * The pair as the first two entries of a task of its own, with the same packet for all unless told. What it wakes is an address that nobody has.
 */
function pairOf({ offer, accept }: Pair, n: number, { apart = false } = {}): readonly [Append, Append] {
  const task: Append['task'] = `t${n.toString(32).padStart(12, '0')}`;
  const { key: _one, hint: _hint, ...first } = offer;
  const { key: _two, hint: _none, ...second } = accept;
  const hint = { send: { to: 'agent:nobody', task, offer: 1, due: 1 } } as const;
  // A lease of the time when the pair was caught would have lapsed by now, and the next search would take these tasks back.
  const lease: Append['lease'] =
    'set' in second.lease ? { set: { ...second.lease.set, until: Date.now() + 600_000 } } : second.lease;
  const blobs = apart ? (first.blobs ?? []).map((bytes) => itsOwn(task, bytes)) : (first.blobs ?? []);
  return [
    { ...first, blobs, task, seq: 0, lease: { clear: true }, hint },
    { ...second, task, seq: 1, lease, hint: { clear: true } },
  ];
}

let next = 0;

export async function appendPair(store: Store, pair: Pair, how?: { readonly apart: boolean }): Promise<void> {
  for (const append of pairOf(pair, (next += 1), how)) await store.journal.append(append);
}
