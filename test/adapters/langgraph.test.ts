import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver, type Checkpoint, type CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createSwarm } from '@langchain/langgraph-swarm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, patchBetween, wholeBytes } from '../../src/adapters/langgraph/patched-bytes.ts';
import { checkProven } from '../../src/adapters/proven.ts';
import { StaffettaSaver } from '../../src/adapters/langgraph/saver.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import type { Reached } from '../../src/ports/step.ts';
import { createWorld, openMemoryStore, type World } from '../../src/stores/memory/open.ts';
import { sample } from '../support/sample.ts';
import { HandClock } from '../support/world.ts';
import { inRing, ring } from './ring.ts';
import { runs } from '../property/seed.ts';

const hops = 4;
const leaseMs = 60_000;
const thread = (id: string) => ({ configurable: { thread_id: id } });
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-langgraph-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function saverOn(
  world: World = createWorld(),
  { reached, clock = new HandClock() }: { reached?: Reached; clock?: HandClock } = {},
): Promise<{ saver: StaffettaSaver; relay: Staffetta }> {
  const store = openMemoryStore(world);
  const relay = await openStaffetta({ store, clock, ...(reached === undefined ? {} : { reached }) });
  return { relay, saver: new StaffettaSaver(relay, { agents: ['ada', 'ben'], leaseMs }) };
}

function texts(messages: readonly BaseMessage[]): unknown[] {
  return messages.map(({ content }) => content);
}

const whole = ['ada 0', 'ben 1', 'ada 2', 'ben 3'];

async function codeOf(act: Promise<unknown>): Promise<unknown> {
  return await act.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error)),
  );
}

async function listed(saver: StaffettaSaver, id: string): Promise<CheckpointTuple[]> {
  const all: CheckpointTuple[] = [];
  for await (const tuple of saver.list(thread(id))) all.push(tuple);
  return all;
}

async function faultsOf(relay: Staffetta): Promise<readonly unknown[]> {
  return (await relay.verify()).faults;
}

test('a handoff between agents is a leg, and the thread is free when the graph is done', async () => {
  const { saver, relay } = await saverOn();
  const { messages } = await ring(saver, hops).invoke({ messages: [] }, inRing);
  expect(texts(messages)).toEqual(whole);
  const [card] = (await relay.list()).cards;
  const legs = await relay.timeline(card?.task ?? '');
  expect(legs.map(({ agent, ended }) => [agent, ended])).toEqual([
    ['langgraph', 'handed-off'],
    ...whole.map((said) => [said.split(' ')[0], 'handed-off']),
  ]);
  expect(card).toMatchObject({ status: 'offered' });
  expect(await faultsOf(relay)).toEqual([]);
});

const agent = (name: string, to?: string) =>
  new StateGraph(MessagesAnnotation)
    .addNode('model', () =>
      to === undefined
        ? { messages: [new AIMessage(`${name} is done`)] }
        : new Command({
            goto: to,
            graph: Command.PARENT,
            update: { messages: [new AIMessage(`${name} asks ${to}`)], activeAgent: to },
          }),
    )
    .addEdge(START, 'model')
    .compile({ name });

test('a swarm says by itself who is active', async () => {
  const { saver, relay } = await saverOn();
  const swarm = createSwarm({
    agents: [agent('alice', 'bob'), agent('bob')] as never,
    defaultActiveAgent: 'alice',
  }).compile({ checkpointer: saver });
  const { messages } = await swarm.invoke({ messages: [new HumanMessage('hi')] }, thread('swarm'));
  expect(texts(messages)).toEqual(['hi', 'alice asks bob', 'bob is done']);
  const [card] = (await relay.list()).cards;
  expect((await relay.timeline(card?.task ?? '')).map(({ agent: by }) => by)).toContain('bob');
});

const asking = (saver: StaffettaSaver) =>
  new StateGraph(MessagesAnnotation)
    .addNode('ask', () => ({ messages: [new AIMessage(String(interrupt('Ship it?')))] }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer: saver });

test('a person is asked in one process and answers in another', async () => {
  const world = createWorld();
  await asking((await saverOn(world)).saver).invoke({ messages: [] }, thread('ask'));
  const { messages } = await asking((await saverOn(world)).saver).invoke(
    new Command({ resume: 'yes' }),
    thread('ask'),
  );
  expect(texts(messages)).toEqual(['yes']);
});

const at = (saver: StaffettaSaver | MemorySaver, source: 'loop' | 'input', id: string, parent?: string) =>
  saver.put(
    {
      configurable: {
        thread_id: 't',
        checkpoint_ns: '',
        ...(parent === undefined ? {} : { checkpoint_id: parent }),
      },
    },
    {
      v: 4,
      id,
      ts: '',
      channel_values: { 'branch:to:ada': null },
      channel_versions: {},
      versions_seen: {},
    },
    { source, step: 0, parents: {} },
    {},
  );

test.each(['async', 'exit'] as const)(
  'a run whose first agent fails at once can be gone on with and begun again, %s',
  async (durability) => {
    const { saver, relay } = await saverOn();
    let isDown = true;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('ada', () => {
        if (isDown) throw new Error('no key');
        return { messages: [new AIMessage('done')] };
      })
      .addEdge(START, 'ada')
      .addEdge('ada', END)
      .compile({ checkpointer: saver });
    const once = { ...thread('t'), durability };
    for (const input of [{ messages: [] }, null, { messages: [] }, null])
      await expect(graph.invoke(input, once)).rejects.toThrow('no key');
    isDown = false;
    expect(texts((await graph.invoke(null, once)).messages)).toEqual(['done']);
    expect(await faultsOf(relay)).toEqual([]);
  },
);

test('what an agent wrote is kept with the checkpoint after it, in one entry', async () => {
  const { saver, relay } = await saverOn();
  await ring(saver, hops).invoke({ messages: [] }, inRing);
  const kept: number[] = [];
  for await (const { entry } of relay.events())
    kept.push(entry.events.filter(({ type }) => type === 'state-kept').length);
  expect(kept.filter((count) => count > 0).slice(-hops)).toEqual([2, 2, 2, 2]);
});

describe('two writers', () => {
  test('the second is told who holds the thread, and goes on when the first is over', async () => {
    const world = createWorld();
    const clock = new HandClock();
    const [one, two] = [await saverOn(world, { clock }), await saverOn(world, { clock })];
    await at(one.saver, 'input', '1');
    await two.saver.getTuple(thread('t'));
    await expect(at(two.saver, 'loop', '2', '1')).rejects.toMatchObject({
      code: 'held',
      message: expect.stringMatching(/^LangGraph thread "t" is held by (ada|langgraph) until /),
      details: { thread: 't', holder: expect.any(String) },
    });
    await at(one.saver, 'loop', '2', '1');
    await one.saver.release('t');
    expect(await codeOf(at(two.saver, 'loop', '3', '1'))).toBe('conflict');
    await two.saver.getTuple(thread('t'));
    await at(two.saver, 'loop', '3', '2');
    expect((await one.saver.getTuple(thread('t')))?.checkpoint.id).toBe('3');
  });

  test('one whose lease is over can no longer write, whatever else its run still has to say', async () => {
    const world = createWorld();
    const clock = new HandClock();
    const [one, two] = [await saverOn(world, { clock }), await saverOn(world, { clock })];
    await at(one.saver, 'input', '1');
    await clock.advance(leaseMs + 1);
    await two.saver.getTuple(thread('t'));
    await at(two.saver, 'loop', '2', '1');
    expect(await codeOf(at(one.saver, 'loop', '2b', '1'))).toBe('stale-generation');
    await two.saver.release('t');
    expect(await codeOf(at(one.saver, 'loop', '3b', '2b'))).toBe('stale-generation');
    expect(
      await codeOf(
        one.saver.putWrites({ configurable: { thread_id: 't', checkpoint_id: '1' } }, [['a', 1]], 'x'),
      ),
    ).toBe('stale-generation');
    const all = await listed(one.saver, 't');
    expect(all.map(({ checkpoint }) => checkpoint.id)).toEqual(['2', '1']);
  });

  test('two runs of one program do not part a thread; going back in time does, when none is on', async () => {
    const { saver } = await saverOn();
    await at(saver, 'input', '1');
    await at(saver, 'loop', '2', '1');
    expect(await codeOf(at(saver, 'loop', '2b', '1'))).toBe('held');
    await saver.release('t');
    await at(saver, 'loop', '3', '1');
    expect((await saver.getTuple(thread('t')))?.parentConfig?.configurable?.['checkpoint_id']).toBe('1');
  });

  test('two processes: one goes on to the end, the other is refused', async () => {
    const file = join(folder, 'two.db');
    await (await openStaffetta({ store: file })).close();
    const program = join(import.meta.dirname, 'ring.ts');
    const ended = await Promise.all(
      ['one', 'two'].map(
        async () =>
          await new Promise<string>((resolve) => {
            let said = '';
            const child = spawn(process.execPath, [program, file, '8'], {
              stdio: ['ignore', 'pipe', 'pipe'],
            });
            child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
            child.on('close', (code) =>
              resolve(code === 0 ? 'done' : (/code: '([^']+)'/.exec(said)?.[1] ?? said)),
            );
          }),
      ),
    );
    const relay = await openStaffetta({ store: file });
    const saver = new StaffettaSaver(relay);
    const puts = await listed(saver, 'ring');
    const parents = puts.map(({ parentConfig }) => parentConfig?.configurable?.['checkpoint_id']);
    expect(new Set(parents).size).toBe(parents.length);
    expect(ended).toContain('done');
    for (const end of ended) expect(['done', 'held', 'conflict']).toContain(end);
    expect(await faultsOf(relay)).toEqual([]);
    await relay.close();
  });
});

describe('a process that dies', () => {
  test('at any step: another goes on, and nothing is lost or done twice', async () => {
    for (let nth = 1; ; nth += 1) {
      const world = createWorld();
      const clock = new HandClock();
      let steps = 0;
      const { saver } = await saverOn(world, {
        clock,
        reached: () => {
          steps += 1;
          if (steps >= nth) throw new Error('dead');
        },
      });
      const isDead = (await codeOf(ring(saver, hops).invoke({ messages: [] }, inRing))) !== 'done';
      await clock.advance(leaseMs * 60);
      const { saver: next, relay } = await saverOn(world, { clock });
      const begun = (await next.getTuple(inRing)) !== undefined;
      const { messages } = await ring(next, hops).invoke(begun ? null : { messages: [] }, inRing);
      expect([nth, ...texts(messages)]).toEqual([nth, ...whole]);
      expect(await faultsOf(relay)).toEqual([]);
      if (!isDead) break;
    }
  });

  test('by SIGKILL', async () => {
    const program = join(import.meta.dirname, 'ring.ts');
    const steps = Array.from({ length: 60 }, (_, i) => i + 1);
    for (const nth of sample('kills of a graph', steps, { oneIn: steps.length })) {
      const file = join(folder, `${nth}.db`);
      expect(spawnSync(process.execPath, [program, file, `${hops}`, `${nth}`]).signal).toBe('SIGKILL');
      const relay = await openStaffetta({ store: file, clock: new HandClock(Date.now() + 3_600_000) });
      const saver = new StaffettaSaver(relay, { agents: ['ada', 'ben'] });
      const begun = (await saver.getTuple(inRing)) !== undefined;
      const { messages } = await ring(saver, hops).invoke(begun ? null : { messages: [] }, inRing);
      expect(texts(messages)).toEqual(whole);
      expect(await faultsOf(relay)).toEqual([]);
      await relay.close();
    }
  });
});

const said = (n: number) => new AIMessage({ id: `${n}`, content: `${n} `.padEnd(2000, 'x') });

const dumpsTyped = () => Promise.reject(new TypeError('a function'));

describe('what is written', () => {
  test('bytes are put together again as they were, whatever changed in them', () => {
    const bytes = fc.array(fc.constantFrom(...Buffer.from('aab[]')), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 8 }), (versions) => {
        let last = wholeBytes(Uint8Array.from(versions[0] ?? []));
        for (const version of versions.slice(1)) {
          const wanted = Uint8Array.from(version);
          last = patchBetween(last, bytesOf(last), wanted);
          expect(bytesOf(last)).toEqual(wanted);
        }
      }),
      runs(5000),
    );
  });

  test('a thread takes as much room as its messages, also where its history is rewritten', async () => {
    const world = createWorld();
    const { saver } = await saverOn(world);
    const graph = ring(saver, 1);
    for (let n = 0; n < 40; n += 1) await graph.updateState(thread('t'), { messages: [said(n)] }, 'ada');
    const sum = () => [...world.blobs.values()].reduce((bytes, blob) => bytes + blob.bytes.length, 0);
    const grown = sum();
    expect(grown).toBeLessThan(40 * 2000 * 4);
    await graph.updateState(
      thread('t'),
      { messages: [new AIMessage({ id: '20', content: 'short' })] },
      'ada',
    );
    expect(sum() - grown).toBeLessThan(10_000);
    const { messages } = (await graph.getState(thread('t'))).values as typeof MessagesAnnotation.State;
    expect(texts(messages)).toEqual(
      Array.from({ length: 40 }, (_, n) => (n === 20 ? 'short' : said(n).content)),
    );
  });

  test('a value comes back as it does from the saver of LangGraph itself', async () => {
    const values = {
      bytes: Uint8Array.of(0, 255, 10),
      deep: { when: new Set(['a']), none: undefined },
      emoji: '🏃',
      __proto__: null,
    };
    const checkpoint: Checkpoint = {
      v: 4,
      id: '1',
      ts: '',
      channel_values: values,
      channel_versions: {},
      versions_seen: {},
    };
    const versions = Object.fromEntries(Object.keys(values).map((name) => [name, 1]));
    const read = async (saver: StaffettaSaver | MemorySaver) => {
      await saver.put(
        { configurable: { thread_id: 'v', checkpoint_ns: '' } },
        checkpoint,
        { source: 'input', step: 0, parents: {} },
        versions,
      );
      return (await saver.getTuple(thread('v')))?.checkpoint;
    };
    expect(await read((await saverOn()).saver)).toEqual(await read(new MemorySaver()));
  });

  test('a framework of another version is refused by its name', () => {
    expect(() => checkProven('zod', { major: 99, from: 0 })).toThrow(/^zod 4\.\S+ is not one that /);
    expect(() => checkProven('zod', { major: 4, from: 0, below: 1 })).toThrow(
      expect.objectContaining({ hint: 'Install zod 4.0 or newer, below 4.1.' }),
    );
    expect(() => checkProven('zod', { major: 4, from: 99 })).toThrow(
      expect.objectContaining({ code: 'unavailable', hint: 'Install zod 4.99 or newer, below 5.0.' }),
    );
  });

  test('what cannot be written is refused, and nothing is', async () => {
    const { relay } = await saverOn();
    const saver = new StaffettaSaver(relay, { serde: { dumpsTyped, loadsTyped: () => Promise.resolve() } });
    const meta = { source: 'input', step: 0, parents: {} } as const;
    const sound: Checkpoint = {
      v: 4,
      id: '1',
      ts: '',
      channel_values: { big: 1 },
      channel_versions: {},
      versions_seen: {},
    };
    const bad: readonly [unknown, Checkpoint][] = [
      ['x', sound],
      ['x', { ...sound, v: 9 }],
      ['x', { ...sound, id: '' }],
      ['x', { ...sound, channel_values: [] as never }],
      [7, sound],
      ['x'.repeat(500), { ...sound, channel_values: {} }],
    ];
    for (const [id, checkpoint] of bad)
      expect(await codeOf(saver.put({ configurable: { thread_id: id } }, checkpoint, meta, { big: 1 }))).toBe(
        'invalid-input',
      );
    expect((await relay.list()).cards).toEqual([]);
  });
});
