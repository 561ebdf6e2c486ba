/** Several writers on one store, their calls in any order: `fast-check` decides whose call comes next. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor } from '../../src/core/task/actor.ts';
import { parseEntry, type Entry } from '../../src/core/journal/entry.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { carry } from '../../src/handoff/verbs/carry.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import { handoff } from '../../src/handoff/verbs/handoff.ts';
import { open } from '../../src/handoff/verbs/open.ts';
import { cancel, tell } from '../../src/handoff/verbs/outside.ts';
import { recover } from '../../src/handoff/verbs/recover.ts';
import { eventIn, type Recorded } from '../../src/handoff/record/record.ts';
import { accept, takeNext } from '../../src/handoff/verbs/take.ts';
import { verifyStore } from '../../src/handoff/trust/verify.ts';
import type { Store } from '../../src/ports/store.ts';
import { handOvers } from '../support/play.ts';
import { begun, opened } from '../support/verbs.ts';
import { ada, dawn, eve, stage, type Stage } from '../support/world.ts';
import { runs } from './seed.ts';

/** A connection of its own to the same world, each call of which waits for its turn. */
function connection(from: Stage, scheduler: fc.Scheduler, who: string): Context {
  const wrap = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name): unknown => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          await scheduler.schedule(Promise.resolve(), `${who} ${String(name)}`);
          return await (Reflect.apply(method, target, args) as Promise<unknown>);
        };
      },
    });
  const { store } = from;
  const shared: Store = {
    ...store,
    journal: wrap(store.journal),
    catalog: wrap(store.catalog),
    blobs: wrap(store.blobs),
    mailbox: wrap(store.mailbox),
  };
  return { ...from.context, store: shared };
}

function crewOf(size: number): Actor[] {
  return Array.from({ length: size }, (_, n) => ({ ...ada, name: `agent-${n}` }));
}

async function entriesOf(at: Stage, task: TaskId): Promise<Entry[]> {
  return (await at.store.journal.read(task, 0, 10_000)).map((stored) => parseEntry(stored.body));
}

/** Everybody at once, in any order; what each was told. */
async function race<T>(
  scheduler: fc.Scheduler,
  doings: readonly (() => Promise<T>)[],
): Promise<readonly (T | { readonly refused: string })[]> {
  const all = Promise.all(
    doings.map(async (doing) => {
      try {
        return await doing();
      } catch (error) {
        if (isStaffettaError(error)) return { refused: error.code };
        throw error;
      }
    }),
  );
  await scheduler.waitFor(all);
  return await all;
}

function succeeded<T extends object>(results: readonly (T | { readonly refused: string })[]): T[] {
  return results.filter((result): result is T => !('refused' in result));
}

const size = fc.integer({ min: 2, max: 6 });

test('P2: of N writers exactly one append per place wins, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), size, async (scheduler, writers) => {
      const at = stage();
      const task = await opened(at.context);
      const results = await race(
        scheduler,
        crewOf(writers).map((by, n) => async () => {
          const context = connection(at, scheduler, by.name);
          return await tell(context, task, `word ${n}`, { by });
        }),
      );
      const places = succeeded(results).map(({ entry }) => entry?.seq ?? 0);
      expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: writers }, (_, n) => n + 1));
      const entries = await entriesOf(at, task);
      expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: writers + 1 }, (_, n) => n));
      expect(new Set(entries.slice(1).map((entry) => entry.by.name)).size).toBe(writers);
      expect((await verifyStore(at.context)).faults).toEqual([]);
    }),
    runs(300),
  );
});

test('P1: every offer has exactly one taker, and everybody else is told so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), size, async (scheduler, takers) => {
      const at = stage();
      const task = await opened(at.context, {}, eve);
      const results = await race(
        scheduler,
        crewOf(takers).map(
          (by) => async () => await accept(connection(at, scheduler, by.name), task, {}, { by }),
        ),
      );
      expect(succeeded(results)).toHaveLength(1);
      expect(results.filter((result) => 'refused' in result && result.refused === 'held')).toHaveLength(
        takers - 1,
      );
      const started = (await entriesOf(at, task)).filter((entry) => eventIn(entry, 'leg-started'));
      expect(started).toHaveLength(1);
    }),
    runs(300),
  );
});

test('P1: of several offers and several takers each offer goes to one and nobody goes away empty-handed without need', async () => {
  const offers = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), size, offers, async (scheduler, takers, count) => {
      const at = stage();
      for (let n = 0; n < count; n += 1) await opened(at.context, {}, eve);
      const results = await race(
        scheduler,
        crewOf(takers).map((by) => async () => {
          const taken = await takeNext(connection(at, scheduler, by.name), {}, { by });
          return { task: taken?.state.task, by: by.name };
        }),
      );
      const taken = succeeded(results).filter((result) => result.task !== undefined);
      expect(new Set(taken.map((result) => result.task)).size).toBe(taken.length);
      expect(taken).toHaveLength(Math.min(takers, count));
    }),
    runs(100),
  );
});

test('one key from several places at once is one entry, and all get its outcome', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), size, async (scheduler, places) => {
      const at = stage();
      const held = await begun(at.context);
      const results = await race(
        scheduler,
        crewOf(places).map(({ name }) => async () => {
          const context = connection(at, scheduler, name);
          return await carry(context, held, [{ type: 'note', text: 'once' }], { by: ada, key: 'k' });
        }),
      );
      const outcomes = succeeded(results);
      expect(outcomes).toHaveLength(places);
      expect(outcomes.filter((outcome) => !outcome.repeated)).toHaveLength(1);
      for (const outcome of outcomes) expect(outcome.entry).toEqual(outcomes[0]?.entry);
      expect(await entriesOf(at, held.task)).toHaveLength(2);
    }),
    runs(200),
  );
});

const held = (task: TaskId) => ({ task, generation: 1 });

test('one key opens one task, however many try at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), size, async (scheduler, places) => {
      const at = stage();
      const results = await race(
        scheduler,
        crewOf(places).map(({ name }) => async () => {
          const context = connection(at, scheduler, name);
          return await open(context, { goal: 'x' }, {}, { by: ada, key: 'k' });
        }),
      );
      expect(succeeded(results)).toHaveLength(places);
      expect(at.world.tasks.size).toBe(1);
      expect(at.world.feed).toHaveLength(1);
    }),
    runs(100),
  );
});

interface Attempt {
  readonly what: string;
  readonly run: (context: Context, task: TaskId) => Promise<Recorded | undefined>;
}

async function tidyUp(context: Context): Promise<undefined> {
  await recover(context);
}

/** A holder that was believed dead, those who would take over, somebody who tidies up, and a person who may stop it all. */
function quarrel(): Attempt[] {
  return [
    {
      what: 'note',
      run: async (context, task) =>
        await carry(context, held(task), [{ type: 'note', text: 'x' }], { by: ada }),
    },
    {
      what: 'handoff',
      run: async (context, task) =>
        await handoff(context, { task, generation: 1 }, { to: 'anyone' }, { by: ada }),
    },
    { what: 'recover', run: tidyUp },
    { what: 'recover again', run: tidyUp },
    ...crewOf(3).map((by) => ({
      what: `accept by ${by.name}`,
      run: async (context: Context, task: TaskId) => await accept(context, task, {}, { by }),
    })),
    { what: 'tell', run: async (context, task) => await tell(context, task, 'x', { by: eve }) },
    { what: 'cancel', run: async (context, task) => await cancel(context, task, 'x', { by: eve }) },
  ];
}

test('P1, P3: whatever the order, no two hold the task at once, and what was confirmed is on record and nothing else', async () => {
  const chosen = fc.subarray([...quarrel().keys()], { minLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), chosen, async (scheduler, which) => {
      const at = stage();
      const { task } = await begun(at.context);
      at.clock.set(dawn + 120_000);
      const attempts = quarrel().filter((_, n) => which.includes(n));
      const results = await race(
        scheduler,
        attempts.map(({ what, run }) => async () => ({
          what,
          done: await run(connection(at, scheduler, what), task),
        })),
      );
      const entries = await entriesOf(at, task);
      expect((await verifyStore(at.context)).faults).toEqual([]);
      expect(handOvers(entries.flatMap((entry) => entry.events)).faults).toEqual([]);
      const confirmed = succeeded(results).flatMap(({ done }) =>
        done === undefined || done.entry === null ? [] : [done.entry],
      );
      for (const entry of confirmed) expect(entries[entry.seq]).toEqual(entry);
      const others = entries.slice(1).filter((entry) => !confirmed.some((known) => known.seq === entry.seq));
      expect(others.every((entry) => entry.by.kind === 'system')).toBe(true);
    }),
    runs(400),
  );
});
