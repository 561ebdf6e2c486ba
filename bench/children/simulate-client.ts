/**
 * One of the machines of `npm run simulate`: opens tasks when they come, whether those before are done or not, and takes and carries whatever is on offer. A leg is a
 * coroutine. What the store acknowledged is said on stdout, a line each, so that it can be looked for afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isStaffettaError } from '../../src/core/base/error.ts';
import type { Lane } from '../../src/core/task/actor.ts';
import { keepLease } from '../../src/handoff/record/keep-lease.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';

export interface ClientOrder {
  readonly store: string;
  readonly name: string;
  readonly tasksPerSecond: number;
  /** From now on, until no more tasks come. */
  readonly openMs: number;
  readonly legMs: number;
  readonly leaseMs: number;
  /** Shares of holders that die, and that sleep for longer than their lease. */
  readonly dying: number;
  readonly sleeping: number;
  readonly seed: number;
}

export type ClientLine =
  | readonly ['ready']
  | readonly ['opened' | 'done', task: string, ms: number]
  | readonly ['stored', task: string, seq: number, ms: number]
  | readonly ['died' | 'slept' | 'fenced' | 'lapsed', task: string]
  | readonly ['failed', why: string];

const lanes: readonly Lane[] = ['plan', 'execute', 'audit', 'execute'];
const order = JSON.parse(process.argv[2] ?? '{}') as ClientOrder;

function say(line: ClientLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

let state = order.seed >>> 0 || 1;
function chance(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state + 0.5) / 2 ** 32;
}

/** Of things that come by chance, so much lies between two of them. */
function drawn(meanMs: number): number {
  return -Math.log(1 - chance()) * meanMs;
}

const relay = await openStaffetta({ store: order.store, as: order.name, gate: 'record' });
const { context } = relay;
const reasoning = 'the slug is cut after accents are folded, so that names stay readable; '.repeat(28);

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
}

async function openTask(n: number): Promise<void> {
  const { value, ms } = await timed(
    async () =>
      await relay.open(
        { title: `Task ${n}`, goal: 'slug() folds accents' },
        { to: 'lane:plan', lane: 'plan' },
      ),
  );
  say(['opened', value.task, ms]);
}

/** Of the four legs, how many came before: the packets say so. */
async function hopsOf(leg: Leg): Promise<number> {
  let hops = 0;
  for await (const item of leg.history()) if (item.kind === 'transcript') hops += 1;
  return hops;
}

async function carry(leg: Leg): Promise<void> {
  const fate = chance();
  const kept = keepLease(context, leg);
  const stored = async (work: () => Promise<{ entry: { seq: number } | null } | void>): Promise<void> => {
    const { value, ms } = await timed(work);
    say(['stored', leg.task, value?.entry?.seq ?? -1, ms]);
  };
  try {
    const hops = await hopsOf(leg);
    await stored(async () => await leg.acknowledge({ next: 'go on' }));
    const ms = drawn(order.legMs);
    await sleep(ms / 2);
    if (fate < order.dying) {
      say(['died', leg.task]);
      return;
    }
    await stored(async () => await leg.note(`after ${hops} others`));
    await sleep(ms / 2);
    if (fate < order.dying + order.sleeping) {
      say(['slept', leg.task]);
      await kept.release();
      await sleep(order.leaseMs * 2);
    }
    const claims = { done: ['it is'], next: 'go on from here' };
    const to = lanes[hops + 1];
    if (to !== undefined)
      await stored(
        async () =>
          await leg.handoff({ to: `lane:${to}`, why: 'it is', claims, transcript: `${hops} ${reasoning}` }),
      );
    else {
      await stored(async () => await leg.complete({ claims: { done: claims.done }, transcript: reasoning }));
      say(['done', leg.task, 0]);
    }
  } catch (error) {
    if (isStaffettaError(error, 'stale-generation') || isStaffettaError(error, 'wrong-state'))
      say([fate < order.dying + order.sleeping ? 'fenced' : 'lapsed', leg.task]);
    else say(['failed', `${leg.task}: ${String(error)}`]);
  } finally {
    await kept.release();
  }
}

/** Takes for one lane, and waits where there is nothing: for the bell, or half a second. */
async function serve(lane: Lane, over: AbortSignal): Promise<void> {
  const as = { name: `${order.name}-${lane}`, kind: 'agent', lane } as const;
  while (!over.aborted) {
    try {
      const leg = await relay.take({ as, leaseMs: order.leaseMs });
      if (leg !== undefined) {
        under.add(leg.task);
        void carry(leg).finally(() => under.delete(leg.task));
        continue;
      }
    } catch (error) {
      if (!isStaffettaError(error) || !error.retryable) say(['failed', String(error)]);
    }
    const rested = AbortSignal.any([over, AbortSignal.timeout(500)]);
    if (context.store.bell === undefined) await sleep(500, undefined, { signal: over }).catch(() => {});
    else await context.store.bell.wait([`lane:${lane}`, `agent:${as.name}`], rested);
  }
}

const under = new Set<string>();
say(['ready']);
const over = new AbortController();
process.stdin.once('data', () => over.abort());
process.stdin.once('end', () => over.abort());
const serving = (['plan', 'execute', 'audit'] as const).map(async (lane) => await serve(lane, over.signal));
const putting = (async (): Promise<void> => {
  while (!over.signal.aborted) {
    await relay.recover().catch((error: unknown) => say(['failed', String(error)]));
    await sleep(order.leaseMs, undefined, { signal: over.signal }).catch(() => {});
  }
})();
const end = performance.now() + order.openMs;
const opening = new Set<Promise<void>>();
for (let n = 0; !over.signal.aborted; n += 1) {
  await sleep(drawn(1000 / order.tasksPerSecond));
  if (performance.now() >= end) break;
  const open = openTask(n)
    .catch((error: unknown) => say(['failed', String(error)]))
    .finally(() => opening.delete(open));
  opening.add(open);
}
await Promise.all(opening);
await Promise.all([...serving, putting]);
while (under.size > 0) await sleep(20);
await relay.store.close();
process.exit();
