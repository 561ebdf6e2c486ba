import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  MemorySession,
  run,
  RunContext,
  type AgentInputItem,
  type Session,
  type SessionHistoryTransaction,
} from '@openai/agents';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { durably, StaffettaSession, type UnfinishedRun } from '../../src/adapters/openai-agents/index.ts';
import { limits } from '../../src/core/base/limits.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { Reached } from '../../src/ports/step.ts';
import { createWorld, openMemoryStore, type World } from '../../src/stores/memory/open.ts';
import { isWhole, sample } from '../support/sample.ts';
import { seed } from '../property/seed.ts';
import { HandClock } from '../support/world.ts';
import { frontDesk, question, serve } from './front-desk.ts';

const leaseMs = 60_000;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-openai-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Opened {
  readonly relay: Staffetta;
  readonly session: StaffettaSession;
}

async function sessionOn(
  world: World = createWorld(),
  { reached, clock = new HandClock() }: { reached?: Reached; clock?: HandClock } = {},
): Promise<Opened> {
  const store = openMemoryStore(world);
  const relay = await openStaffetta({ store, clock, ...(reached === undefined ? {} : { reached }) });
  return { relay, session: new StaffettaSession(relay, 'ticket', { leaseMs }) };
}

const codeOf = async (act: Promise<unknown>): Promise<unknown> =>
  await act.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
const faultsOf = async (relay: Staffetta) => (await relay.verify()).faults;

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '$', '\ud800', 'é\u0000', '__proto__'),
);
const item = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constant('user'),
    content: text,
    id: fc.constant(undefined),
  }),
  fc.record({
    type: fc.constant('function_call'),
    callId: fc.constantFrom('a', 'b'),
    name: text,
    status: fc.constant('completed'),
    arguments: text,
  }),
  fc.record({
    type: fc.constant('function_call_result'),
    callId: fc.constantFrom('a', 'b'),
    name: text,
    status: fc.constant('completed'),
    output: fc.record({
      type: fc.constant('image'),
      image: fc.record({ data: fc.uint8Array({ maxLength: 9 }) }),
    }),
    providerData: fc.dictionary(
      text,
      fc.oneof(fc.double(), fc.constant(undefined), fc.constant({ $: 'bytes' })),
    ),
  }),
) as fc.Arbitrary<AgentInputItem>;
const items = fc.array(item, { maxLength: 3 });

type Act = (
  session: StaffettaSession | MemorySession,
  history: readonly AgentInputItem[],
) => Promise<unknown>;
const operation = (of: fc.Arbitrary<(history: readonly AgentInputItem[]) => SessionHistoryTransaction>) =>
  fc.tuple(fc.constantFrom('op-1', 'op-2', 'op-3', ''), of).map(([operationId, transaction]): Act => {
    return async (session, history) =>
      await session.applyHistoryTransaction({ operationId, transaction: transaction(history) });
  });
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: items.map(
      (added): Act =>
        async (session) =>
          await session.addItems(added),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Act>(async (session) => await session.popItem()) },
  { weight: 1, arbitrary: fc.constant<Act>(async (session) => await session.clearSession()) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: -1, max: 5 }).map(
      (limit): Act =>
        async (session) =>
          await session.getItems(limit),
    ),
  },
  {
    weight: 1,
    arbitrary: item.map((replacement): Act => async (session) => {
      if (replacement.type !== 'function_call') return;
      const mutation = { type: 'replace_function_call', callId: 'a', replacement } as const;
      await session.applyHistoryMutations({ mutations: [mutation] });
    }),
  },
  { weight: 2, arbitrary: operation(items.map((added) => () => ({ type: 'append_items', items: added }))) },
  {
    weight: 2,
    arbitrary: operation(
      fc.tuple(items, fc.nat(2), items).map(([wrong, count, replacement]) => (history) => ({
        type: 'replace_suffix',
        expectedSuffix: wrong.length === 1 ? wrong : history.slice(history.length - count),
        replacement,
      })),
    ),
  },
);

const outcomeOf = async (acting: Promise<unknown>): Promise<unknown> =>
  await acting.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: (error as Error).message }),
  );

test('thousands of operations leave what they leave in the session of the SDK itself, in whichever process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(3)), { minLength: 20, maxLength: 60 }), async (steps) => {
      const world = createWorld();
      const clock = new HandClock();
      const model = new MemorySession({ sessionId: 'ticket' });
      const open = async () => (await sessionOn(world, { clock })).session;
      const processes = [await open(), await open()];
      for (const [act, which] of steps) {
        const session = processes[which] ?? (await open());
        const history = await model.getItems();
        expect(await outcomeOf(act(session, history))).toStrictEqual(await outcomeOf(act(model, history)));
      }
      for (const session of [...processes, await open()])
        expect(await session.getItems()).toStrictEqual(await model.getItems());
    }),
    { numRuns: isWhole ? 200 : 12, seed },
  );
});

const whole = async () => {
  const { relay, session } = await sessionOn();
  const desk = frontDesk();
  expect(await serve(session, desk)).toBe('It is refunded.');
  return { relay, session, desk, items: await session.getItems() };
};

describe('a run', () => {
  test('has a leg for each of its agents, is told as a story, and leaves what it leaves with the session of the SDK', async () => {
    const { relay, session, items: left } = await whole();
    const plain = new MemorySession();
    const desk = frontDesk();
    const onlySession = { session: plain as Session };
    await expect(run(desk.agentCalled(''), question, onlySession)).rejects.toThrow(
      'A durable handoff needs a run with',
    );
    const [card] = (await relay.list()).cards;
    const legs = await relay.timeline(card?.task ?? '');
    expect(legs.map(({ agent, ended }) => [agent, ended])).toEqual([
      ['Front-desk', 'handed-off'],
      ['Billing', 'handed-off'],
    ]);
    expect(card).toMatchObject({ status: 'offered' });
    expect(left.map(({ type }) => type ?? 'message')).toEqual([
      'message',
      'function_call',
      'function_call_result',
      'function_call',
      'function_call_result',
      'message',
    ]);
    const { messages } = await relay.messages(card?.task ?? '', 'openai-agents');
    expect(messages.filter(({ type }) => type === 'function_call')).toHaveLength(2);
    expect(messages).toHaveLength(6);
    expect(await session.unfinished()).toBeUndefined();
    expect(await faultsOf(relay)).toEqual([]);
  });

  test('goes on with the next question, whoever asks it', async () => {
    const { relay, session } = await whole();
    const again = new StaffettaSession(relay, 'ticket');
    const desk = frontDesk();
    const { finalOutput } = await run(desk.agentCalled('Billing'), 'Thanks', durably(again));
    expect(finalOutput).toBe('It is refunded.');
    expect(desk.seen[0]).toHaveLength(7);
    expect(await session.getItems()).toHaveLength(8);
  });

  test('whose second agent failed is begun again by the first', async () => {
    const { session } = await sessionOn();
    const flaky = durably(session, {
      callModelInputFilter: ({ modelData }) => {
        if (modelData.input.length > 4) throw new Error('billing is down');
        return modelData;
      },
    });
    const ask = async (how = durably(session)) => await run(frontDesk().agentCalled(''), question, how);
    await expect(ask(flaky)).rejects.toThrow('billing is down');
    await session.release();
    expect((await ask()).finalOutput).toBe('It is refunded.');
  });

  test('that failed adds nothing, and can be gone on with or begun again', async () => {
    const { session } = await sessionOn();
    let isDown = true;
    const desk = frontDesk(() => {
      if (isDown) throw new Error('the desk is closed');
    });
    await expect(serve(session, desk)).rejects.toThrow('the desk is closed');
    expect(await session.getItems()).toEqual([]);
    expect(await session.unfinished()).toMatchObject({ agent: 'Front desk', input: { length: 3 } });
    isDown = false;
    expect(await serve(session, desk)).toBe('It is refunded.');
    expect(desk.looks).toHaveLength(1);
    expect(desk.seen[2]).toEqual(desk.seen[1]);
  });
});

test('a run that streams is gone on with as well', async () => {
  const { items: all } = await whole();
  for (const isDown of [false, true]) {
    const { relay, session } = await sessionOn();
    let fails = isDown;
    const desk = frontDesk(() => {
      if (fails) throw new Error('the desk is closed');
    });
    const stream = async (name: string, input: string | AgentInputItem[]) => {
      const streamed = await run(desk.agentCalled(name), input, { ...durably(session), stream: true });
      await streamed.completed;
    };
    await stream('', question).catch(() => undefined);
    fails = false;
    const left = await session.unfinished();
    if (left !== undefined) await stream(left.agent, left.input);
    expect([isDown, await session.getItems()]).toEqual([isDown, all]);
    expect(await session.unfinished()).toBeUndefined();
    expect(desk.looks).toHaveLength(1);
    expect(await faultsOf(relay)).toEqual([]);
  }
});

describe('two runs on one session', () => {
  test('of two processes the second is told who holds it, and the first goes on', async () => {
    const world = createWorld();
    const clock = new HandClock();
    const [one, two] = [await sessionOn(world, { clock }), await sessionOn(world, { clock })];
    const second = frontDesk();
    const during = durably(one.session, {
      callModelInputFilter: async ({ modelData }) => {
        await expect(run(second.agentCalled(''), question, durably(two.session))).rejects.toMatchObject({
          code: 'held',
          message: expect.stringMatching(
            /^OpenAI Agents session "ticket" is held by (?:Front-desk|Billing) until /,
          ),
        });
        return modelData;
      },
    });
    expect((await run(frontDesk().agentCalled(''), question, during)).finalOutput).toBe('It is refunded.');
    expect(second.seen).toEqual([]);
    expect(await two.session.getItems()).toHaveLength(6);
  });

  test('one that was silent for too long calls neither its callback nor a model any more', async () => {
    const world = createWorld();
    const clock = new HandClock();
    const [one, two] = [await sessionOn(world, { clock }), await sessionOn(world, { clock })];
    const calls: string[] = [];
    const desk = frontDesk(() => void calls.push('handoff'));
    const looked = frontDesk();
    const slow = durably(one.session, {
      callModelInputFilter: async ({ modelData }) => {
        if (modelData.input.length > 1) {
          await clock.advance(leaseMs + 1);
          await serve(two.session, looked);
        }
        return modelData;
      },
    });
    expect(await codeOf(run(desk.agentCalled(''), question, slow))).toBe('stale-generation');
    expect(calls).toEqual([]);
    expect(await one.session.getItems()).toHaveLength(6);
  });

  test('of one process the earlier is told, and adds nothing', async () => {
    const { session } = await sessionOn();
    const during = (act: () => Promise<unknown>) =>
      durably(session, {
        callModelInputFilter: async ({ modelData }) => {
          await act();
          return modelData;
        },
      });
    const billing = frontDesk().agentCalled('Billing');
    const later = async () => await session.getItems(undefined, new RunContext());
    expect(await codeOf(run(billing, 'first', during(later)))).toBe('conflict');
    expect(await session.getItems()).toEqual([]);
  });
});

/** A run that was killed when all was written is not gone on with. */
async function serveOnce(session: StaffettaSession): Promise<void> {
  if ((await session.getItems()).length === 0) await serve(session, frontDesk());
}

describe('a process that dies', () => {
  test('at any step: another goes on with what the model had seen, and nothing is lost or said twice', async () => {
    const { items: all } = await whole();
    for (let nth = 1; ; nth += 1) {
      const world = createWorld();
      const clock = new HandClock();
      let steps = 0;
      const dying = await sessionOn(world, {
        clock,
        reached: () => {
          steps += 1;
          if (steps >= nth) throw new Error('dead');
        },
      });
      const before = frontDesk();
      const isDead = (await codeOf(serve(dying.session, before))) !== 'done';
      await clock.advance(leaseMs * 60);
      const { relay, session } = await sessionOn(world, { clock });
      const left = await session.unfinished();
      // What its model was asked with, or was about to be.
      const seen = before.seen.at(-1) ?? [];
      expect((left?.input ?? seen).slice(0, seen.length)).toEqual(seen);
      await serveOnce(session);
      expect([nth, await session.getItems()]).toEqual([nth, all]);
      expect(await faultsOf(relay)).toEqual([]);
      if (!isDead) break;
    }
  });

  test('by SIGKILL, in the callback of a handoff and at steps of ours', async () => {
    const { items: all } = await whole();
    const program = join(import.meta.dirname, 'front-desk.ts');
    const steps = Array.from({ length: 30 }, (_, i) => `${i + 1}`);
    const left: Record<string, UnfinishedRun | undefined> = {};
    for (const where of ['callback', ...sample('kills of a run', steps, { oneIn: steps.length })]) {
      const file = join(folder, `${where}.db`);
      expect(spawnSync(process.execPath, [program, file, where]).signal).toBe('SIGKILL');
      const relay = await openStaffetta({ store: file, clock: new HandClock(Date.now() + 3_600_000) });
      const session = new StaffettaSession(relay, 'ticket');
      left[where] = await session.unfinished();
      await serveOnce(session);
      expect(await session.getItems()).toEqual(all);
      expect(await faultsOf(relay)).toEqual([]);
      await relay.close();
    }
    expect(left['callback']).toEqual({ agent: 'Front desk', input: all.slice(0, 3) });
  });
});

test('what cannot be written down is refused by its place, and nothing is written', async () => {
  const { relay, session } = await sessionOn();
  const around: Record<string, unknown> = {};
  around['self'] = around;
  for (const [content, words] of [
    [() => 'x', 'items[0].content is a function'],
    [new Map(), 'items[0].content is a Map'],
    [10n, 'items[0].content is a bigint'],
    [around, 'is nested too deeply, or in itself'],
  ] as const) {
    const bad = [{ role: 'user', content }] as unknown as AgentInputItem[];
    await expect(session.see('Front desk', bad)).rejects.toThrow(words);
  }
  for (const bad of [{}, [7], [null]])
    expect(await codeOf(session.addItems(bad as never))).toBe('invalid-input');
  const large = [{ role: 'user', content: 'x'.repeat(limits.blobBytesMax) }] as const;
  expect(await codeOf(session.addItems([...large]))).toBe('too-large');
  await session.release();
  expect(await session.getItems()).toEqual([]);
  expect(() => new StaffettaSession(relay, 7 as never)).toThrow('sessionId');
  expect(() => new StaffettaSession(relay, '')).toThrow('has no name');
  expect(() => new StaffettaSession({} as never, 'x')).toThrow('openStaffetta');
  expect(() => durably({} as never)).toThrow('expected a StaffettaSession');
});
