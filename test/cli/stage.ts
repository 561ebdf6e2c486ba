/** Stores in the state a command needs, made through the library: a process per step would take most of the time. */
import { join } from 'node:path';
import { openStaffetta, type Staffetta } from '../../src/compose/staffetta.ts';
import type { ContractInput } from '../../src/handoff/open.ts';
import { newRepository } from './command.ts';

export interface Stage {
  /** A repository whose store holds the task. */
  readonly folder: string;
  readonly store: string;
  readonly task: string;
}

export const code = { name: 'code', lane: 'execute' } as const;
/** How the command says it is the holder. */
export const asCode = ['--as', 'code'] as const;

const reviewed: ContractInput = { goal: 'The fence stands', review: { human: true } };

/** A clock that stands an hour ago: what is taken now has lapsed by the time the command looks. */
const hourAgo = { now: () => Date.now() - 3_600_000, sleep: async () => {} };

async function made(build: (relay: Staffetta) => Promise<string>, past = false): Promise<Stage> {
  const folder = newRepository();
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store, as: code, ...(past ? { clock: hourAgo } : {}) });
  try {
    return { folder, store, task: await build(relay) };
  } finally {
    await relay.close();
  }
}

async function held(
  relay: Staffetta,
  contract: ContractInput = { goal: 'The fence stands' },
): Promise<string> {
  return (await relay.begin(contract)).task;
}

export const stages = {
  offered: async () => await made(async (relay) => (await relay.open({ goal: 'The fence stands' })).task),
  draft: async () =>
    await made(async (relay) => (await relay.open({ goal: 'The fence stands' }, { draft: true })).task),
  /** Taken by `code`, generation 1. */
  taken: async () =>
    await made(async (relay) => {
      const { task } = await relay.open({ goal: 'The fence stands' });
      await relay.take({ task, as: code });
      return task;
    }),
  held: async () => await made(held),
  handedOff: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.handoff({ to: 'lane:audit', claims: { next: 'look at it' }, transcript: 'I thought.\n' });
      return leg.task;
    }),
  withMessage: async () =>
    await made(async (relay) => {
      const task = await held(relay);
      await relay.tell(task, 'keep the gate', { as: 'ada' });
      return task;
    }),
  /** An effect was announced, and nobody knows whether it took place. */
  withEffect: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.effect('paint', () => Promise.reject(new Error('no answer'))).catch(() => {});
      return leg.task;
    }),
  submitted: async () =>
    await made(async (relay) => {
      const leg = await relay.begin(reviewed);
      await leg.submit({ claims: { done: ['all posts'] } });
      return leg.task;
    }),
  dead: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands', caps: { attempts: 1 } });
      await leg.retry('the wood is wet');
      return leg.task;
    }),
  lapsed: async () => await made(held, true),
  doneLongAgo: async () =>
    await made(async (relay) => {
      const leg = await relay.begin({ goal: 'The fence stands' });
      await leg.complete({ transcript: 'x'.repeat(1000) });
      return leg.task;
    }, true),
} satisfies Record<string, () => Promise<Stage>>;
