import { describe, expect, test } from 'vitest';
import { begun } from '../../test/support/verbs.ts';
import { ada, bea, stage, worldText, type Stage } from '../../test/support/world.ts';
import { StaffettaError } from '../core/error.ts';
import type { Held } from './carry.ts';
import { checkpoint } from './finish.ts';
import { handoff } from './handoff.ts';
import type { Call } from './record.ts';

const megabyte = 1024 * 1024;

/** Longer than what travels inside an append, and not the same twice in it. */
async function* words(megabytes = 14): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < megabytes; n += 1) yield new Uint8Array(megabyte).fill(n);
}

const verbs: readonly [
  string,
  (at: Stage, held: Held, call: Call, megabytes?: number) => Promise<unknown>,
][] = [
  [
    'checkpoint',
    async (at, held, call, megabytes) =>
      await checkpoint(at.context, held, { transcript: words(megabytes) }, call),
  ],
  [
    'handoff',
    async (at, { task, generation }, call, megabytes) =>
      await handoff(at.context, task, generation, { to: 'anyone', transcript: words(megabytes) }, call),
  ],
];

describe.each(verbs)('a long transcript for a %s', (_name, act) => {
  test.each<[string, Partial<Held>, Call, string]>([
    ['a stranger', {}, { by: bea }, 'not-holder'],
    ['a former holder', { generation: 7 }, { by: ada }, 'stale-generation'],
    ['nobody', { task: 't000000000042' }, { by: ada }, 'unknown-task'],
  ])('from %s is refused before any of it is stored', async (_who, other, call, code) => {
    const at = stage();
    const held = await begun(at.context);
    const before = worldText(at.world);
    await expect(act(at, { ...held, ...other }, call)).rejects.toMatchObject({ code });
    expect(worldText(at.world)).toBe(before);
  });

  test('is stored once, and a repetition stores nothing and has the first outcome', async () => {
    const at = stage();
    const held = await begun(at.context);
    await act(at, held, { by: ada, key: 'k' });
    const before = worldText(at.world);
    expect(at.world.blobs.size).toBe(17);
    await expect(act(at, held, { by: ada, key: 'k' })).resolves.toMatchObject({ repeated: true });
    await expect(act(at, held, { by: ada, key: 'k' }, 15)).rejects.toMatchObject({ code: 'key-reused' });
    expect(worldText(at.world)).toBe(before);
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('is not stored in a dry run', async () => {
    const at = stage();
    const held = await begun(at.context);
    const before = worldText(at.world);
    await act(at, held, { by: ada, dryRun: true });
    expect(worldText(at.world)).toBe(before);
  });
});

test.each([1, 2, 3])('where storing piece %i ahead fails, nothing is recorded', async (failing) => {
  const at = stage();
  const held = await begun(at.context);
  const { store } = at.context;
  const head = await store.journal.head(held.task);
  let puts = 0;
  const blobs = {
    ...store.blobs,
    async put(bytes: Uint8Array, now: number) {
      puts += 1;
      if (puts === failing) throw new StaffettaError('store-full', 'The disk is full.');
      return await store.blobs.put(bytes, now);
    },
  };
  const context = { ...at.context, store: { ...store, blobs } };
  await expect(checkpoint(context, held, { transcript: words(15) }, { by: ada })).rejects.toMatchObject({
    code: 'store-full',
  });
  expect(puts).toBe(failing);
  expect(await store.journal.head(held.task)).toEqual(head);
});
