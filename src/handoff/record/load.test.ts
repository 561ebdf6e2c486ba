import { describe, expect, test } from 'vitest';
import { ada, eve, stage, type Stage } from '../../../test/support/world.ts';
import { entryDigest } from '../../core/journal/entry.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { MemoryTask } from '../../stores/memory/world.ts';
import { entriesOf, load, soundPages } from './load.ts';

async function written(notes: number): Promise<Stage & { task: TaskId; kept: MemoryTask }> {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  for (let n = 0; n < notes; n += 1) await leg.note(`${n}`);
  const kept = at.world.tasks.get(leg.task);
  if (kept === undefined) throw new Error('the task is not there');
  return { ...at, task: leg.task, kept };
}

async function seqs(at: Stage & { task: TaskId }, range = {}): Promise<number[]> {
  const found: number[] = [];
  for await (const stored of entriesOf(at.context, at.task, range)) found.push(stored.seq);
  return found;
}

describe('reading a journal', () => {
  test('it comes whole and in order, however many pages it takes', async () => {
    const at = await written(600);
    expect(await seqs(at)).toEqual(Array.from({ length: 601 }, (_, n) => n));
    expect(await seqs(at, { from: 255, to: 258 })).toEqual([255, 256, 257, 258]);
    expect(await seqs(at, { from: 599 })).toEqual([599, 600]);
    expect(await seqs(at, { from: 601 })).toEqual([]);
  });

  test('what is written while it is read is not needed and not waited for', async () => {
    const at = await written(3);
    const { state } = await load(at.context, at.task);
    const found: number[] = [];
    for await (const page of soundPages(at.context, state)) {
      await at.staffetta.tell(at.task, 'news', { as: eve });
      found.push(...page.map(({ entry }) => entry.seq));
    }
    expect(found).toEqual([0, 1, 2, 3]);
  });
});

describe('P8: a damaged journal is not acted on', () => {
  const damages: readonly [string, (kept: MemoryTask) => void][] = [
    ['a missing entry', (kept) => kept.entries.splice(2, 1)],
    [
      'two entries that changed places',
      (kept) => kept.entries.splice(1, 2, ...kept.entries.slice(1, 3).toReversed()),
    ],
    ['a missing end', (kept) => kept.entries.splice(3)],
    [
      'an entry that was rewritten with a digest of its own',
      (kept) => {
        const entry = kept.entries[2];
        const body = entry?.body.replace('"text":"1"', '"text":"7"') ?? '';
        if (entry !== undefined) kept.entries[2] = { ...entry, body, digest: entryDigest(body) };
      },
    ],
    [
      'a flipped byte',
      (kept) => {
        const entry = kept.entries[2];
        if (entry !== undefined) kept.entries[2] = { ...entry, body: entry.body.replace('note', 'nole') };
      },
    ],
  ];

  test.each(damages)('%s stops a verb that reads it', async (_what, damage) => {
    const at = await written(4);
    const { state } = await load(at.context, at.task);
    damage(at.kept);
    const reading = async (): Promise<void> => {
      for await (const page of soundPages(at.context, state)) expect(page.length).toBeGreaterThan(0);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'corrupt' });
  });

  test.each(damages)('%s stops a verb that must fold it', async (_what, damage) => {
    const at = await written(4);
    const head = await at.store.journal.head(at.task);
    damage(at.kept);
    const journal = {
      ...at.store.journal,
      head: async () => (head === undefined ? undefined : { ...head, snapshot: 'unusable' }),
    };
    const loading = load({ ...at.context, store: { ...at.store, journal } }, at.task);
    await expect(loading).rejects.toMatchObject({
      code: 'corrupt',
      hint: expect.stringContaining('verify') as string,
    });
  });

  test('a store that gives the head of another task is not believed', async () => {
    const at = await written(1);
    const other = await at.staffetta.open({ goal: 'other' }, { as: eve });
    at.world.tasks.set(other.task, at.kept);
    await expect(load(at.context, other.task)).rejects.toMatchObject({ code: 'corrupt' });
  });
});
