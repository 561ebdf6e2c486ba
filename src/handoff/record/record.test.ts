import { describe, expect, test } from 'vitest';
import { begun, opened, scenes } from '../../../test/support/verbs.ts';
import { ada, bea, dawn, eve, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { JournalStore } from '../../ports/journal.ts';
import { carry } from '../verbs/carry.ts';
import { load } from './load.ts';
import { tell } from '../verbs/outside.ts';
import { record } from './record.ts';
import { accept } from '../verbs/take.ts';

const verbs = Object.entries(scenes);

/** The same world, with some of its journal's methods done differently. */
function tampered(from: Stage, change: (journal: JournalStore) => Partial<JournalStore>): Stage {
  const journal = { ...from.store.journal, ...change(from.store.journal) };
  return stage({ store: { ...from.store, journal }, world: from.world, clock: from.clock });
}

function unknown(): StaffettaError {
  return new StaffettaError('outcome-unknown', 'The disk failed.');
}

describe('a dry run', () => {
  test.each(verbs)('%s: says what would happen and writes nothing', async (_name, scene) => {
    const { context, world } = stage();
    const { act } = await scene(context);
    const before = worldText(world);
    const would = await act({ dryRun: true });
    expect(would.entry?.events.length).toBeGreaterThan(0);
    expect(worldText(world)).toBe(before);
    const did = await act({});
    expect(did.entry?.events.map((event) => event.type)).toEqual(
      would.entry?.events.map((event) => event.type),
    );
    expect(did.state.status).toBe(would.state.status);
  });

  test('a refusal is the same in a dry run', async () => {
    const { context } = stage();
    const held = await begun(context);
    const late = carry(context, { ...held, generation: 7 }, [{ type: 'note', text: 'x' }], {
      by: ada,
      dryRun: true,
    });
    await expect(late).rejects.toMatchObject({ code: 'stale-generation' });
  });
});

describe('an idempotency key', () => {
  test.each(verbs)(
    '%s: repeated with its key, it returns the first outcome and writes nothing',
    async (_name, scene) => {
      const { context, world, clock } = stage();
      const { act } = await scene(context);
      const first = await act({ key: 'k1' });
      expect(first.repeated).toBe(false);
      expect(first.entry?.key).toBe('k1');
      await clock.advance(5);
      const before = worldText(world);
      const again = await act({ key: 'k1' });
      expect(again.repeated).toBe(true);
      expect(again.entry).toEqual(first.entry);
      expect(again.state).toEqual(first.state);
      expect(worldText(world)).toBe(before);
    },
  );

  test.each(verbs)(
    '%s: the key of another request is refused and nothing is written',
    async (_name, scene) => {
      const { context, world } = stage();
      const { act, other } = await scene(context);
      const first = await act({ key: 'k1' });
      const before = worldText(world);
      await expect(other({ key: 'k1' })).rejects.toMatchObject({
        code: 'key-reused',
        details: { task: first.state.task, seq: first.entry?.seq },
        hint: expect.stringContaining('new key') as string,
      });
      expect(worldText(world)).toBe(before);
    },
  );

  test('a repetition is answered even after the task has moved on and the verb would be refused now', async () => {
    const { context } = stage();
    const held = await begun(context);
    const act = async () => await carry(context, held, [{ type: 'note', text: 'x' }], { by: ada, key: 'k' });
    const first = await act();
    await record(context, {
      task: held.task,
      call: { by: eve },
      request: null,
      prepare: () => ({ command: { type: 'cancel', why: 'Flood.' } }),
    });
    const again = await act();
    expect(again.entry).toEqual(first.entry);
    expect(again.state.status).toBe('cancelled');
  });

  test('a key belongs to its task: another task may use the same one', async () => {
    const { context } = stage();
    const [one, two] = [await opened(context), await opened(context)];
    await tell(context, one, 'x', { by: eve, key: 'k' });
    const other = await tell(context, two, 'x', { by: eve, key: 'k' });
    expect(other.repeated).toBe(false);
  });

  test('a refused request does not use up its key', async () => {
    const { context } = stage();
    const held = await begun(context);
    const taking = accept(context, held.task, {}, { by: bea, key: 'k' });
    await expect(taking).rejects.toMatchObject({ code: 'held' });
    expect((await tell(context, held.task, 'x', { by: eve, key: 'k' })).repeated).toBe(false);
  });

  test.each([
    ['with a line break', 'a\nb'],
    ['that is too long', 'k'.repeat(limits.keyCharsMax + 1)],
    ['that is empty', ''],
  ])('a key %s is refused before anything is written', async (_what, key) => {
    const { context, world } = stage();
    const task = await opened(context);
    const before = worldText(world);
    await expect(tell(context, task, 'x', { by: eve, key })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(worldText(world)).toBe(before);
  });
});

describe('P1: compare and swap', () => {
  test('a writer that is overtaken decides again on what it finds', async () => {
    const calm = stage();
    const held = await begun(calm.context);
    let overtaken = 0;
    const { context } = tampered(calm, (journal) => ({
      append: async (append) => {
        if (overtaken < 3) {
          overtaken += 1;
          await tell(calm.context, held.task, `news ${overtaken}`, { by: eve });
        }
        return await journal.append(append);
      },
    }));
    const { entry } = await carry(context, held, [{ type: 'note', text: 'x' }], { by: ada });
    expect(entry?.seq).toBe(4);
    const bodies = await calm.store.journal.read(held.task, 0, 10);
    expect(bodies.map((stored) => stored.seq)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a writer that is overtaken by a change that forbids its own is refused', async () => {
    const calm = stage();
    const task = await opened(calm.context);
    let raced = false;
    const { context } = tampered(calm, (journal) => ({
      append: async (append) => {
        if (!raced) {
          raced = true;
          await accept(calm.context, task, {}, { by: bea });
        }
        return await journal.append(append);
      },
    }));
    await expect(accept(context, task, {}, { by: ada })).rejects.toMatchObject({
      code: 'held',
      details: { holder: 'bea', leaseUntil: dawn + limits.leaseMsDefault },
    });
  });

  test('a task that never stands still is given up on with an error worth retrying', async () => {
    const calm = stage();
    const task = await opened(calm.context);
    const { context } = tampered(calm, () => ({ append: async () => ({ stored: false, head: undefined }) }));
    await expect(tell(context, task, 'x', { by: eve })).rejects.toMatchObject({
      code: 'conflict',
      retryable: true,
    });
  });
});

describe('P2: when the outcome of an append is unknown', () => {
  test('the journal is asked, and an entry that arrived counts', async () => {
    const calm = stage();
    const task = await opened(calm.context);
    const { context } = tampered(calm, (journal) => ({
      append: async (append) => {
        await journal.append(append);
        throw unknown();
      },
    }));
    const { state } = await tell(context, task, 'x', { by: eve });
    expect(state.unread).toHaveLength(1);
    expect((await load(calm.context, task)).state).toEqual(state);
  });

  test('an entry that did not arrive leaves the caller with the error', async () => {
    const calm = stage();
    const task = await opened(calm.context);
    const { context } = tampered(calm, () => ({
      append: async () => {
        throw unknown();
      },
    }));
    await expect(tell(context, task, 'x', { by: eve })).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('an entry of somebody else at the same place does not count as its own', async () => {
    const calm = stage();
    const task = await opened(calm.context);
    const { context } = tampered(calm, () => ({
      append: async () => {
        await tell(calm.context, task, 'first', { by: bea });
        throw unknown();
      },
    }));
    await expect(tell(context, task, 'x', { by: eve })).rejects.toMatchObject({ code: 'outcome-unknown' });
  });
});

describe('time and leases', () => {
  test('the time of an entry never goes back: behind a clock that was ahead it stands still', async () => {
    const { context, clock } = stage();
    const task = await opened(context);
    const ahead = dawn + 1_000_000_000;
    clock.set(ahead);
    await tell(context, task, 'from the future', { by: eve });
    clock.set(dawn);
    expect((await tell(context, task, 'x', { by: eve })).entry?.at).toBe(ahead);
    clock.set(ahead + 1);
    expect((await tell(context, task, 'y', { by: eve })).entry?.at).toBe(ahead + 1);
  });

  test('one wrong clock does not lend its time to the leases of others', async () => {
    const { context, clock } = stage();
    const held = await begun(context);
    clock.set(dawn + 1_000_000_000);
    await tell(context, held.task, 'from the future', { by: eve });
    clock.set(dawn + 1000);
    const { leaseUntil } = await carry(context, held, [{ type: 'note', text: 'x' }], { by: ada });
    expect(leaseUntil).toBe(dawn + 1000 + limits.leaseMsDefault);
  });

  test('a holder that writes is alive: its lease is extended', async () => {
    const { context, clock } = stage();
    const held = await begun(context);
    await clock.advance(30_000);
    const { leaseUntil } = await carry(context, held, [{ type: 'note', text: 'x' }], { by: ada });
    expect(leaseUntil).toBe(dawn + 30_000 + limits.leaseMsDefault);
    expect((await load(context, held.task)).lease).toEqual({ generation: 1, until: leaseUntil });
  });

  test('somebody else who writes does not extend it', async () => {
    const { context, clock } = stage();
    const held = await begun(context);
    await clock.advance(30_000);
    await tell(context, held.task, 'x', { by: eve });
    expect((await load(context, held.task)).lease?.until).toBe(dawn + limits.leaseMsDefault);
  });

  test('a state whose snapshot cannot be used is folded from the journal', async () => {
    const { context, world } = stage();
    const held = await begun(context);
    const before = await load(context, held.task);
    const task = world.tasks.get(held.task);
    if (task !== undefined) task.snapshot = 'damaged';
    expect(await load(context, held.task)).toEqual(before);
    const { state } = await tell(context, held.task, 'x', { by: eve });
    expect(state.unread).toEqual([1]);
  });
});

test('a key that leads to an entry which was not written with it is damage, and no answer', async () => {
  const { context, world } = stage();
  const task = await opened(context);
  const { entry } = await tell(context, task, 'x', { by: eve, key: 'first' });
  world.tasks.get(task)?.keys.set('forged', entry?.seq ?? -1);
  await expect(tell(context, task, 'x', { by: eve, key: 'forged' })).rejects.toMatchObject({
    code: 'corrupt',
  });
  expect((await tell(context, task, 'x', { by: eve, key: 'first' })).repeated).toBe(true);
});

test('many events in one request are one entry that can be read back', async () => {
  const { context } = stage();
  const held = await begun(context);
  const notes = Array.from({ length: 100 }, (_, n) => ({ type: 'note' as const, text: `${n}` }));
  const { entry } = await carry(context, held, notes, { by: ada });
  expect(entry?.events).toHaveLength(100);
  const tooMany = Array.from({ length: limits.eventsMax + 1 }, () => ({ type: 'note' as const, text: 'x' }));
  await expect(carry(context, held, tooMany, { by: ada })).rejects.toMatchObject({ code: 'invalid-input' });
});
