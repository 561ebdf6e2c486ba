import { describe, expect, test } from 'vitest';
import { ada, bea, eve, quiet, stage, type Stage } from '../../test/support/world.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { DamagedTask } from '../handoff/record/damage.ts';
import { load } from '../handoff/record/load.ts';
import { createWorker, type Handler, type WorkerOptions } from './worker.ts';

const completes: Handler = async (leg) => {
  await leg.acknowledge();
  await leg.complete();
};

const breaks: Handler = () => Promise.reject(new Error('The hammer broke.'));

function rain(): never {
  throw new Error('Rain.');
}

async function offered({ staffetta }: Stage): Promise<TaskId> {
  return (await staffetta.open({ goal: 'The fence stands.' }, { as: eve })).task;
}

function damage({ world }: Stage, task: TaskId): void {
  const kept = world.tasks.get(task);
  const [first] = kept?.entries ?? [];
  if (kept === undefined || first === undefined) throw new Error('no such task');
  kept.snapshot = 'damaged';
  kept.entries[0] = { ...first, body: first.body.replace('"v":1', '"v":7') };
}

describe('a damaged task', () => {
  test('is passed over and named once, and the worker goes on with the others', async () => {
    const before = stage();
    const bad = await offered(before);
    const held = await before.staffetta.begin({ goal: 'x' }, { as: ada });
    damage(before, bad);
    damage(before, held.task);
    const at = stage({ world: before.world, clock: before.clock });
    const damaged: DamagedTask[] = [];
    const stop = new AbortController();
    const worker = createWorker(at.context, bea, {
      handler: completes,
      pollMs: 100,
      recoverMs: 1000,
      onDamaged: (found) => damaged.push(found),
    });
    const running = worker.run(stop.signal);
    await at.clock.advance(100_000);
    const good = await offered(at);
    await at.clock.advance(10_000);
    expect((await load(at.context, good)).state.status).toBe('done');
    stop.abort();
    await running;
    expect(damaged.map(({ task }) => task).toSorted()).toEqual([bad, held.task].toSorted());
  });

  test('whose packet cannot be read is not taken', async () => {
    const at = stage();
    const bad = await offered(at);
    const { contract } = (await load(at.context, bad)).state;
    at.world.blobs.delete(contract);
    const damaged: DamagedTask[] = [];
    const onDamaged = (found: DamagedTask): unknown => damaged.push(found);
    expect(await createWorker(at.context, bea, { handler: completes, onDamaged }).drain()).toBe(0);
    expect(damaged).toMatchObject([{ task: bad }]);
    expect((await load(at.context, bad)).state.status).toBe('offered');
  });

  test('that came to harm while it was held is named, and is no reason to stop', async () => {
    const at = stage();
    const bad = await offered(at);
    const good = await offered(at);
    const damaged: string[] = [];
    const handler: Handler = async (leg, signal) => {
      if (leg.task === good) return await completes(leg, signal);
      // A renewal or a snapshot that another process wrote: a process that reads it now has to fold the journal.
      at.world.tasks.get(bad)?.entries.splice(0, 1);
      const kept = at.world.tasks.get(bad);
      const last = kept?.entries.at(-1);
      if (kept === undefined || last === undefined) throw new Error('no such task');
      kept.snapshot = 'damaged';
      kept.entries[kept.entries.length - 1] = { ...last, digest: `sha256:${'0'.repeat(64)}` };
      throw new Error('Rain.');
    };
    const onDamaged = ({ task }: DamagedTask): unknown => damaged.push(task);
    expect(await createWorker(at.context, bea, { handler, onDamaged }).drain()).toBe(2);
    expect(damaged).toEqual([bad]);
    expect((await load(at.context, good)).state.status).toBe('done');
  });
});

describe('an attempt that failed', () => {
  test('gives the leg back even if the listener that hears of it throws, which is heard too', async () => {
    const at = stage();
    const task = await offered(at);
    const carrying = createWorker(at.context, bea, { handler: breaks, onError: rain }).once();
    await expect(carrying).rejects.toThrow('Rain.');
    expect((await load(at.context, task)).state).toMatchObject({ leg: null, status: 'offered' });
    expect(at.clock.sleepers).toBe(0);
  });

  test.each([
    ['an object without a prototype', Object.create(null)],
    ['an error whose message is no text', Object.assign(new Error('x'), { message: 42 })],
    [
      'an error whose message cannot be had',
      Object.defineProperty(new Error('x'), 'message', { get: () => rain() }),
    ],
    ['an error whose message has no text', Object.assign(new Error('x'), { message: Object.create(null) })],
    ['a symbol', Symbol('rain')],
    ['nothing', undefined],
  ])('gives the leg back if what was thrown is %s', async (_name, thrown: unknown) => {
    const at = stage();
    const task = await offered(at);
    // eslint-disable-next-line prefer-promise-reject-errors -- anything can be thrown
    const handler: Handler = () => Promise.reject(thrown);
    expect(await createWorker(at.context, bea, { handler }).once()).toBe(true);
    expect((await load(at.context, task)).state).toMatchObject({ leg: null, status: 'offered' });
  });
});

describe('how a worker is made and run', () => {
  test.each<[string, WorkerOptions]>([
    ['a lease shorter than any', { leaseMs: 5 }],
    ['a lease that is no number', { leaseMs: Number.NaN }],
    ['a wait below zero', { pollMs: -1 }],
    ['a wait without end', { pollMs: Number.POSITIVE_INFINITY }],
    ['a recovery at no time', { recoverMs: Number.NaN }],
  ])('%s is refused when it is made', (_name, options) => {
    const { context } = stage();
    expect(() => createWorker(context, bea, { ...options, handler: completes })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  test('without a signal it works on', async () => {
    const at = stage();
    const task = await offered(at);
    void createWorker(at.context, bea, { handler: completes }).run();
    await quiet();
    await at.clock.advance(2000);
    expect((await load(at.context, task)).state.status).toBe('done');
    expect(at.clock.sleepers).toBe(1);
  });

  test('what is no signal is refused in words', async () => {
    const running = createWorker(stage().context, bea, { handler: completes }).run({} as AbortSignal);
    await expect(running).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'run: expected an AbortSignal, or nothing.',
    });
  });
});
