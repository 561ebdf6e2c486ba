import { describe, expect, test } from 'vitest';
import { ada, bea, cyd, dawn, eve, interrupted, quiet, stage, type Stage } from '../../test/support/world.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import { load } from '../handoff/record/load.ts';
import { createWorker, type Handler } from './worker.ts';

const leaseMs = 3000;

async function offered({ staffetta }: Stage, attempts?: number): Promise<`t${string}`> {
  const caps = attempts === undefined ? {} : { caps: { attempts } };
  return (await staffetta.open({ goal: 'The fence stands.', ...caps }, { as: eve })).task;
}

const completes: Handler = async (leg) => {
  await leg.acknowledge();
  await leg.complete();
};
const breaks: Handler = async () => {
  throw new Error('Rain.');
};

const endsNothing: Handler = async (leg) => await leg.acknowledge();
const breaksTooLate: Handler = async (leg, signal) => {
  await completes(leg, signal);
  throw new Error('too late');
};
const rethrow = (error: unknown): never => {
  throw error;
};

/** A handler that waits until it is told to go on. */
function paused(then: Handler = completes): {
  handler: Handler;
  go: () => void;
  leg: () => Leg;
  signal: () => AbortSignal;
} {
  const gate = Promise.withResolvers<void>();
  let given: { leg: Leg; signal: AbortSignal } | undefined;
  const seen = (): { leg: Leg; signal: AbortSignal } => {
    if (given === undefined) throw new Error('the handler has not begun');
    return given;
  };
  return {
    handler: async (leg, signal) => {
      given = { leg, signal };
      await gate.promise;
      return await then(leg, signal);
    },
    go: gate.resolve,
    leg: () => seen().leg,
    signal: () => seen().signal,
  };
}

describe('carrying legs', () => {
  test('a worker takes one offer after another until nothing is left', async () => {
    const at = stage();
    const tasks = [await offered(at), await offered(at), await offered(at)];
    const carried: string[] = [];
    const handler: Handler = async (leg, signal) => {
      carried.push(leg.task);
      await completes(leg, signal);
    };
    const worker = createWorker(at.context, bea, { handler });
    expect(await worker.drain()).toBe(3);
    expect(carried).toEqual(tasks);
    expect(await worker.once()).toBe(false);
    for (const task of tasks) expect((await load(at.context, task)).state.status).toBe('done');
  });

  test('it leaves offers to others alone', async () => {
    const at = stage();
    await at.staffetta.open({ goal: 'x' }, { as: eve, to: 'agent:cyd' });
    expect(await createWorker(at.context, bea, { handler: completes }).once()).toBe(false);
    expect(await createWorker(at.context, cyd, { handler: completes }).once()).toBe(true);
  });

  test('the lease is renewed for as long as the handler works', async () => {
    const at = stage();
    const task = await offered(at);
    const slow = paused();
    const working = createWorker(at.context, bea, { leaseMs, handler: slow.handler }).once();
    await quiet();
    await at.clock.advance(10 * leaseMs);
    expect((await load(at.context, task)).lease?.until).toBeGreaterThan(at.clock.now());
    expect((await at.staffetta.recover()).lapsed).toEqual([]);
    slow.go();
    expect(await working).toBe(true);
    expect((await load(at.context, task)).state).toMatchObject({ status: 'done', generation: 1 });
  });

  test('where the store is far away, a leg is looked at twice a minute and not each second', async () => {
    const at = stage();
    const task = await offered(at);
    let looks = 0;
    const journal = {
      ...at.store.journal,
      head: async (...args: Parameters<typeof at.store.journal.head>) => {
        looks += 1;
        return await at.store.journal.head(...args);
      },
    };
    const far = { ...at.context, store: { ...at.store, journal, leaseMs: 300_000 } };
    const slow = paused();
    const working = createWorker(far, bea, { handler: slow.handler }).once();
    await quiet();
    looks = 0;
    for (let n = 0; n < 120; n += 1) await at.clock.advance(1000);
    expect(looks).toBeLessThan(10);
    expect((await load(at.context, task)).lease?.until).toBeGreaterThan(at.clock.now() + 200_000);
    slow.go();
    await working;
  });

  test('renewing ends with the leg', async () => {
    const at = stage();
    await offered(at);
    await createWorker(at.context, bea, { leaseMs, handler: completes }).once();
    expect(at.clock.sleepers).toBe(0);
  });

  test('a store that fails for a moment does not cost the lease', async () => {
    const at = stage();
    const task = await offered(at);
    let failures = 2;
    const journal = {
      ...at.store.journal,
      renew: async (...args: Parameters<typeof at.store.journal.renew>) => {
        failures -= 1;
        if (failures >= 0) throw new StaffettaError('store-busy', 'Somebody else is writing.');
        return await at.store.journal.renew(...args);
      },
    };
    const slow = paused();
    const context = { ...at.context, store: { ...at.store, journal } };
    const working = createWorker(context, bea, { leaseMs, handler: slow.handler }).once();
    await quiet();
    await at.clock.advance(leaseMs);
    expect(failures).toBeLessThan(0);
    expect(slow.signal().aborted).toBe(false);
    expect((await at.staffetta.recover()).lapsed).toEqual([]);
    slow.go();
    await working;
    expect((await load(at.context, task)).state.status).toBe('done');
  });
});

describe('failed attempts', () => {
  test('a handler that throws gives the work back with its reason, to be taken again after a rest', async () => {
    const at = stage();
    const task = await offered(at);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => {
      errors.push(error);
    };
    const worker = createWorker(at.context, bea, { handler: breaks, onError });
    expect(await worker.drain()).toBe(1);
    const { state } = await load(at.context, task);
    expect(state).toMatchObject({ status: 'offered', attempts: 1, offer: { cause: 'retry', attempt: 2 } });
    expect(state.offer?.notBefore).toBeGreaterThanOrEqual(dawn);
    expect(state.offer?.notBefore).toBeLessThanOrEqual(dawn + limits.backoffMsBase);
    expect(errors).toEqual([new Error('Rain.')]);
    const [leg] = await at.staffetta.timeline(task);
    expect(leg).toMatchObject({ ended: 'attempt-failed', why: 'Rain.' });
  });

  test('a refused handoff leaves on record which rules refused it, and where', async () => {
    const at = stage({ gate: 'refuse' });
    const task = await offered(at);
    await createWorker(at.context, bea, {
      handler: async (leg) => {
        await leg.acknowledge();
        await leg.handoff({ to: 'lane:audit' });
      },
    }).once();
    const [leg] = await at.staffetta.timeline(task);
    expect(leg?.why).toMatch(
      /is not ready to be handed over: .*\n(?:.*\n)*gate-missing, contract\.acceptance: Nothing says/,
    );
    expect(leg?.why).toContain('\nnext-action, claims.next: ');
  });

  test('the rest grows from one attempt to the next', async () => {
    const at = stage();
    const task = await offered(at);
    const worker = createWorker(at.context, bea, { handler: breaks });
    const ceilings: number[] = [];
    for (let attempt = 1; attempt < limits.attemptsMaxDefault; attempt += 1) {
      await worker.once();
      const { state } = await load(at.context, task);
      const rest = (state.offer?.notBefore ?? 0) - at.clock.now();
      expect(rest).toBeLessThanOrEqual(limits.backoffMsBase * 2 ** (attempt - 1));
      ceilings.push(rest);
      expect(await worker.once()).toBe(rest === 0);
      at.clock.set(state.offer?.notBefore ?? 0);
    }
    expect(Math.max(...ceilings.slice(2))).toBeGreaterThan(limits.backoffMsBase);
  });

  test('after the last attempt the work is a dead letter, and re-driving it gives it a new life', async () => {
    const at = stage();
    const task = await offered(at, 2);
    const failing = createWorker(at.context, bea, { handler: breaks });
    await failing.once();
    at.clock.set(dawn + limits.backoffMsBase);
    await failing.once();
    expect((await load(at.context, task)).state).toMatchObject({
      status: 'escalated',
      dead: { attempts: 2, why: 'Rain.' },
    });
    expect(await failing.once()).toBe(false);
    expect((await at.staffetta.list({ dead: true })).cards.map((card) => card.task)).toEqual([task]);
    await at.staffetta.redrive(task, {}, { as: { name: 'eve', kind: 'human' } });
    expect(await createWorker(at.context, ada, { handler: completes }).drain()).toBe(1);
    expect((await load(at.context, task)).state).toMatchObject({ status: 'done', dead: null });
  });

  test('a handler that returns without an outcome has failed', async () => {
    const at = stage();
    const task = await offered(at);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => {
      errors.push(error);
    };
    await createWorker(at.context, bea, { handler: endsNothing, onError }).once();
    expect((await load(at.context, task)).state).toMatchObject({ status: 'offered', attempts: 1 });
    expect(String(errors[0])).toContain('returned without handing off');
  });

  test('a handler that throws after it ended the leg has not failed', async () => {
    const at = stage();
    const task = await offered(at);
    await createWorker(at.context, bea, { handler: breaksTooLate }).once();
    expect((await load(at.context, task)).state.status).toBe('done');
  });

  test.each<[string, Handler, string]>([
    ['handed off', async (leg) => await leg.handoff({ to: 'lane:audit' }), 'offered'],
    ['submitted', async (leg) => await leg.submit(), 'submitted'],
    ['failed', async (leg) => await leg.fail('No wood.'), 'failed'],
    ['escalated', async (leg) => await leg.escalate('Stuck.'), 'escalated'],
    ['given back', async (leg) => await leg.retry('Rain.'), 'offered'],
  ])('work that was %s is left as the handler left it', async (_what, end, status) => {
    const at = stage();
    const task = await offered(at);
    const handler: Handler = async (leg, signal) => {
      await leg.acknowledge();
      return await end(leg, signal);
    };
    await createWorker(at.context, bea, { handler, onError: rethrow }).once();
    expect((await load(at.context, task)).state).toMatchObject({ status, leg: null });
  });
});

describe('P3: a lost lease', () => {
  test('the signal of the handler is aborted, and whatever it still writes is refused', async () => {
    const at = stage();
    const task = await offered(at);
    const refused: unknown[] = [];
    const slow = paused(async (leg) => {
      await leg.note('late').catch((error: unknown) => refused.push(error));
      await leg.complete().catch((error: unknown) => refused.push(error));
    });
    const working = createWorker(at.context, bea, { leaseMs, handler: slow.handler }).once();
    await quiet();
    // The process was suspended past its lease, and somebody else took over.
    at.clock.set(dawn + 2 * leaseMs);
    const taken = await at.staffetta.take({ task, as: ada });
    expect(taken?.generation).toBe(2);
    expect(slow.signal().aborted).toBe(false);
    await at.clock.advance(leaseMs);
    expect(slow.signal().aborted).toBe(true);
    expect(String(slow.signal().reason)).toContain('generation 1');
    slow.go();
    await working;
    expect(refused).toHaveLength(2);
    for (const error of refused) expect(isStaffettaError(error, 'stale-generation')).toBe(true);
    expect((await load(at.context, task)).state).toMatchObject({
      generation: 2,
      leg: { holder: { name: 'ada' } },
    });
  });

  test('a handler that throws then does not disturb the one who took over', async () => {
    const at = stage();
    const task = await offered(at);
    const slow = paused(breaks);
    const working = createWorker(at.context, bea, { leaseMs, handler: slow.handler }).once();
    await quiet();
    at.clock.set(dawn + 2 * leaseMs);
    await at.staffetta.take({ task, as: ada });
    slow.go();
    expect(await working).toBe(true);
    expect((await load(at.context, task)).state).toMatchObject({
      attempts: 1,
      leg: { holder: { name: 'ada' } },
    });
  });

  test('a cancel while the handler works aborts it too', async () => {
    const at = stage();
    const task = await offered(at);
    const slow = paused();
    const working = createWorker(at.context, bea, { leaseMs, handler: slow.handler }).once();
    await quiet();
    await at.staffetta.cancel(task, 'Flood.', { as: eve });
    await at.clock.advance(leaseMs);
    expect(slow.signal().aborted).toBe(true);
    slow.go();
    await working;
    expect((await load(at.context, task)).state.status).toBe('cancelled');
  });
});

describe('running on', () => {
  test('an idle worker looks again, and stops when it is told to', async () => {
    const at = stage();
    const stop = new AbortController();
    const running = createWorker(at.context, bea, { handler: completes, pollMs: 100 }).run(stop.signal);
    await quiet();
    const task = await offered(at);
    await at.clock.advance(200);
    expect((await load(at.context, task)).state.status).toBe('done');
    stop.abort();
    await running;
    expect(at.clock.sleepers).toBe(0);
  });

  test('a leg under way is finished before it stops', async () => {
    const at = stage();
    const task = await offered(at);
    const stop = new AbortController();
    const slow = paused();
    const running = createWorker(at.context, bea, { leaseMs, handler: slow.handler }).run(stop.signal);
    await quiet();
    stop.abort();
    await at.clock.advance(10 * leaseMs);
    expect((await load(at.context, task)).state.leg?.holder.name).toBe('bea');
    slow.go();
    await running;
    expect((await load(at.context, task)).state.status).toBe('done');
  });

  test('it puts right what others left: lapsed work is taken up without anybody asking', async () => {
    const at = stage();
    const silent = await at.staffetta.begin({ goal: 'x' }, { as: ada, leaseMs });
    const stop = new AbortController();
    const worker = createWorker(at.context, bea, { handler: completes, pollMs: 1000, recoverMs: 5000 });
    const running = worker.run(stop.signal);
    await at.clock.advance(leaseMs + 5000);
    expect((await silent.state()).status).toBe('done');
    stop.abort();
    await running;
  });

  test('of two workers that race for every offer each leg is carried once', async () => {
    const at = stage();
    const carried: string[] = [];
    const handler: Handler = async (leg, signal) => {
      carried.push(leg.task);
      await completes(leg, signal);
    };
    const tasks = [];
    for (let n = 0; n < 20; n += 1) tasks.push(await offered(at));
    const legs = await Promise.all(
      [ada, bea].map(async (by) => await createWorker(at.context, by, { handler }).drain()),
    );
    expect(legs.reduce((a, b) => a + b, 0)).toBe(20);
    expect(carried.toSorted()).toEqual(tasks.toSorted());
  });

  test('at whatever moment somebody else takes the task, it is carried once', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const task = await offered(calm);
      let carried = 0;
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        await calm.staffetta.take({ task, as: ada }).catch(() => {});
      });
      const handler: Handler = async (leg, signal) => {
        carried += 1;
        await completes(leg, signal);
      };
      await createWorker(busy.context, bea, { handler }).once();
      happens = happened();
      const { state } = await load(calm.context, task);
      expect(state.status).toBe(carried === 1 ? 'done' : 'held');
      expect(state.generation).toBe(1);
    }
  });
});
