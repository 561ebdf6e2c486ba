import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ada, bea, stage, type Stage } from '../../../test/support/world.ts';
import type { Status } from '../../core/task/state.ts';
import type { WordIndex } from '../../ports/word-index.ts';
import { openSqliteStore } from '../../stores/sqlite/open.ts';
import { openWordIndex } from '../../stores/sqlite/word-index.ts';
import { search, type FoundText, type SearchOptions } from './search.ts';
import { readersOf } from '../history/story.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-search-'));
  folders.push(folder);
  return folder;
}

async function find(at: Stage, index: WordIndex, options: SearchOptions): Promise<FoundText> {
  return await search(at.context, { index, readerOf: readersOf([]) }, options);
}

function placesOf({ hits }: FoundText): string[] {
  return hits.map(({ where, field, ref }) => [where, field, ref].filter((part) => part !== null).join(' '));
}

describe('what is found', () => {
  test('a word is found wherever it stands, with the place and the evidence id', async () => {
    const at = stage();
    const index = openWordIndex();
    const leg = await at.staffetta.begin(
      { title: 'Fence', goal: 'Cedar stands.', acceptance: ['cedar only'] },
      { as: ada },
    );
    await leg.note('the cedar is wet');
    await leg.decide('take cedar', { why: 'it lasts' });
    await leg.ask('Cedar or oak?');
    await leg.checkpoint({
      claims: { done: ['cedar posts'], failed: [{ what: 'cedar glue', why: 'rain' }] },
      artefacts: [{ path: 'cedar/posts.md' }],
      transcript: JSON.stringify([{ role: 'user', content: 'buy the cedar' }]),
    });
    await at.staffetta.tell(leg.task, 'no cedar left', { as: bea });
    await at.staffetta.cancel(leg.task, 'cedar is sold out', { as: ada });
    const found = await find(at, index, { words: 'CEDAR' });
    expect(new Set(placesOf(found))).toEqual(
      new Set([
        'reason leg-ended j6',
        'reason task-cancelled j6',
        'message j5',
        'packet artefacts j4',
        'packet claims.failed j4',
        'packet claims.done j4',
        'decision question d2',
        'history given s1',
      ]),
    );
    expect(found.more).toBe(true);
    expect(placesOf(await find(at, index, { words: 'cedar lasts' }))).toEqual(['decision d1']);
    const goal = await find(at, index, { words: 'cedar stands' });
    expect(goal.hits).toMatchObject([
      {
        task: leg.task,
        where: 'goal',
        title: 'Fence',
        status: 'cancelled',
        text: 'Cedar stands.',
        by: 'ada',
        at: expect.any(Number),
      },
    ]);
    expect(goal.hits[0]?.marks.map(({ from, to }) => goal.hits[0]?.text.slice(from, to))).toEqual([
      'Cedar',
      'stands',
    ]);
    const said = await find(at, index, { words: 'buy cedar' });
    expect(said.hits).toMatchObject([{ where: 'history', field: 'given', ref: 's1' }]);
  });

  test('words fit as beginnings, all in one text, and are never a query of the index', async () => {
    const at = stage();
    const index = openWordIndex();
    await at.staffetta.open({ goal: 'Migrate src/limit.ts to the über-scheduler.' }, { as: ada });
    const count = async (words: string): Promise<number> =>
      new Set((await find(at, index, { words })).hits.map(({ task }) => task)).size;
    expect(await count('migr')).toBe(1);
    expect(await count('src/limit.ts')).toBe(1);
    expect(await count('uber sched')).toBe(1);
    expect(await count('migrate elsewhere')).toBe(0);
    for (const odd of ['"', 'a" OR "b', 'NEAR(', 'text:migr', '* *', '--', 'goal AND NOT migrate'])
      expect(await count(`${odd} x`)).toBe(0);
  });

  test('scripts without spaces are found inside a text', async () => {
    const at = stage();
    const index = openWordIndex();
    await at.staffetta.open({ title: 'Fence', goal: '请修理花园里的旧篱笆。' }, { as: ada });
    const { hits } = await find(at, index, { words: '花园' });
    expect(hits).toMatchObject([{ where: 'goal', marks: [{ from: 3, to: 5 }] }]);
  });

  test('status, lane and holder narrow it, and one task does not fill the list', async () => {
    const at = stage();
    const index = openWordIndex();
    const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
    for (let n = 0; n < 20; n += 1) await leg.note(`oak number ${n}`);
    await at.staffetta.open({ goal: 'Oak too.' }, { as: bea });
    const all = await find(at, index, { words: 'oak' });
    expect(all.hits.filter(({ task }) => task === leg.task)).toHaveLength(8);
    expect(all).toMatchObject({ searched: 2, more: true });
    const status = await find(at, index, { words: 'oak', statuses: ['offered'] });
    expect(new Set(status.hits.map(({ status: one }) => one))).toEqual(new Set(['offered']));
    expect((await find(at, index, { words: 'oak', holder: 'ada', limit: 3 })).hits).toHaveLength(3);
    expect((await find(at, index, { words: 'oak', lane: 'audit' })).hits).toEqual([]);
  });

  test('work whose lease is over is lapsed, and not held, also where nobody has recorded it', async () => {
    const at = stage();
    const index = openWordIndex();
    await at.staffetta.begin({ goal: 'Oak.' }, { as: ada, leaseMs: 1000 });
    const found = async (status: Status): Promise<number> =>
      (await find(at, index, { words: 'oak', statuses: [status] })).hits.length;
    expect([await found('held'), await found('lapsed')]).toEqual([2, 0]);
    at.clock.set(at.clock.now() + 1001);
    expect([await found('held'), await found('lapsed')]).toEqual([0, 2]);
    expect((await find(at, index, { words: 'oak' })).hits).toMatchObject([
      { status: 'lapsed' },
      { status: 'lapsed' },
    ]);
  });

  test('less than two characters are refused', async () => {
    await expect(find(stage(), openWordIndex(), { words: ' a ' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('the index', () => {
  test('takes in what is new once, for all that search', async () => {
    const at = stage();
    const file = join(newFolder(), 'words');
    const [one, other] = [openWordIndex(file), openWordIndex(file)];
    const leg = await at.staffetta.begin({ goal: 'Oak.', title: 'T' }, { as: ada });
    expect(placesOf(await find(at, one, { words: 'oak' }))).toEqual(['goal']);
    await leg.note('oak again');
    expect(placesOf(await find(at, other, { words: 'oak' }))).toEqual(['note j1', 'goal']);
    expect(placesOf(await find(at, one, { words: 'oak' }))).toEqual(['note j1', 'goal']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    one.close();
    other.close();
  });

  test('is made anew where it is damaged or of another version', async () => {
    const at = stage();
    const file = join(newFolder(), 'words');
    writeFileSync(file, 'This is no database at all, but it stands where one should.'.repeat(40));
    await at.staffetta.open({ goal: 'Oak.', title: 'T' }, { as: ada });
    const index = openWordIndex(file);
    expect(placesOf(await find(at, index, { words: 'oak' }))).toEqual(['goal']);
    index.close();
  });

  test('lives in memory where no file can be written', async () => {
    const at = stage();
    await at.staffetta.open({ goal: 'Oak.', title: 'T' }, { as: ada });
    const index = openWordIndex(join(newFolder(), 'missing', 'words'));
    expect(placesOf(await find(at, index, { words: 'oak' }))).toEqual(['goal']);
  });

  test('begins again with a store that was put back', async () => {
    const folder = newFolder();
    const path = join(folder, 'store.db');
    const index = openWordIndex(join(folder, 'words'));
    const first = await openSqliteStore(path, { create: true });
    const before = stage({ store: first });
    await before.staffetta.open({ goal: 'Oak.', title: 'T' }, { as: ada });
    await first.upkeep.backup?.(join(folder, 'backup.db'));
    await before.staffetta.open({ goal: 'Oak, and later lost.', title: 'T' }, { as: ada });
    expect((await find(before, index, { words: 'oak' })).hits).toHaveLength(2);
    await first.close();
    const back = join(folder, 'back.db');
    copyFileSync(join(folder, 'backup.db'), back);
    const second = await openSqliteStore(back);
    const after = stage({ store: second, seed: 7 });
    await after.staffetta.open({ goal: 'Oak, written anew.', title: 'T' }, { as: bea });
    expect((await find(after, index, { words: 'oak' })).hits.map(({ text }) => text)).toEqual([
      'Oak, written anew.',
      'Oak.',
    ]);
    await second.close();
    index.close();
  });

  test('forgets what was swept', async () => {
    const at = stage();
    const index = openWordIndex();
    const { task } = await at.staffetta.open({ goal: 'Oak.', title: 'T' }, { as: ada });
    await at.staffetta.cancel(task, 'enough', { as: ada });
    expect((await find(at, index, { words: 'oak' })).hits).toHaveLength(1);
    at.clock.set(at.clock.now() + 100_000_000);
    await at.staffetta.sweep({ olderThanMs: 0 });
    expect((await find(at, index, { words: 'oak' })).hits).toEqual([]);
    expect(index.find('oak', { before: null, limit: 5 })).toEqual([]);
  });
});
