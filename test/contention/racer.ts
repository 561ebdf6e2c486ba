/**
 * One of several processes that want the same thing. Started with `fork`; says `ready` when its store is open, waits for its orders, which
 * reach all racers at once, and answers with what it got.
 */
import { openStaffetta } from '../../src/library/staffetta.ts';
import { isStaffettaError, type ErrorCode } from '../../src/core/base/error.ts';
import type { TaskId } from '../../src/core/journal/id.ts';

export type Orders =
  /** Tries to take each of these, in this order. */
  | { readonly race: 'named'; readonly tasks: readonly TaskId[] }
  /** Takes the next offer until nothing is offered any more. */
  | { readonly race: 'next' }
  /** The same, and goes on with what it took: its first holder hands it over to anyone, its next one completes it. */
  | { readonly race: 'relay' }
  /** Writes so many entries to one task: messages from outside, or notes as its holder. */
  | { readonly race: 'append'; readonly task: TaskId; readonly times: number; readonly how: 'tell' | 'note' }
  /** Opens tasks and finishes them, so many times. */
  | { readonly race: 'work'; readonly times: number };

export interface Result {
  readonly name: string;
  /** Tasks taken, with the generation; or the texts that were acknowledged. */
  readonly won: readonly string[];
  readonly refused: Readonly<Partial<Record<ErrorCode, number>>>;
  readonly from: number;
  readonly until: number;
  /** The longest wait for a single call. */
  readonly slowestMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

const [store = '', name = ''] = process.argv.slice(2);
const staffetta = await openStaffetta({ gate: 'record', store, as: name });
process.on('message', (orders: Orders) => void race(orders));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

async function race(orders: Orders): Promise<void> {
  const won: string[] = [];
  const refused: Partial<Record<ErrorCode, number>> = {};
  const from = Date.now();
  let slowestMs = 0;
  for (const attempt of attempts(orders)) {
    const began = performance.now();
    try {
      const got = await attempt();
      if (got === undefined) break;
      won.push(got);
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
      refused[error.code] = (refused[error.code] ?? 0) + 1;
    }
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
  const result: Result = { name, won, refused, from, until: Date.now(), slowestMs };
  process.send?.(result);
}

type Attempt = () => Promise<string | undefined>;

function* attempts(orders: Orders): Generator<Attempt> {
  switch (orders.race) {
    case 'named':
      for (const task of orders.tasks) yield async () => (await staffetta.take({ task }))?.fence;
      return;
    case 'next':
      // Nobody renews: a race that takes long on a busy machine must not end legs.
      for (;;) yield async () => (await staffetta.take({ leaseMs: dayMs }))?.fence;
    case 'relay':
      for (;;) yield carry;
    case 'append':
      for (let i = 0; i < orders.times; i += 1) yield async () => await append(orders, i);
      return;
    case 'work':
      for (let i = 0; i < orders.times; i += 1) yield work;
  }
}

async function append({ task, how }: Extract<Orders, { race: 'append' }>, i: number): Promise<string> {
  const text = `${name} ${i}`;
  if (how === 'tell') await staffetta.tell(task, text);
  else await (await staffetta.leg(task)).note(text);
  return text;
}

async function carry(): Promise<string | undefined> {
  const leg = await staffetta.take({ leaseMs: dayMs });
  if (leg === undefined) return undefined;
  await leg.acknowledge();
  const claims = { done: [`${name} carried it.`], next: 'Carry it on.' };
  if (leg.generation === 1) await leg.handoff({ to: 'anyone', claims });
  else await leg.complete({ claims });
  return leg.fence;
}

async function work(): Promise<string> {
  const leg = await staffetta.begin({ goal: `Whatever ${name} does.` });
  await leg.checkpoint({ transcript: `${name} thinks of ${leg.task}.\n`.repeat(100) });
  await leg.complete();
  return leg.task;
}
