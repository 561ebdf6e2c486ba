/** P8: what is missing is named once, and what is left is judged by itself. */
import { expect, test } from 'vitest';
import { ada, eve, stage, type Stage } from '../../../test/support/world.ts';
import { entryDigest } from '../../core/journal/entry.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { MemoryTask } from '../../stores/memory/world.ts';
import type { StoredEntry } from '../../ports/journal.ts';
import { entryPages } from '../record/load.ts';
import { verifyTask } from './verify.ts';

interface Long extends Stage {
  readonly task: TaskId;
  readonly kept: MemoryTask;
}

/** Entries 0 to `last`; entry 3 seals a packet, which witnesses entry 2. */
async function long(last = 9): Promise<Long> {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  for (let seq = 1; seq <= last; seq += 1) {
    if (seq === 3) await leg.checkpoint({ transcript: 'words' });
    else await at.staffetta.tell(leg.task, `${seq}`, { as: eve, key: `tell ${seq}` });
  }
  const kept = at.world.tasks.get(leg.task);
  if (kept === undefined) throw new Error('the task is not there');
  return { ...at, task: leg.task, kept };
}

/** Takes entries away behind the back of the store, and leaves the head where it was. */
async function lose(at: Long, ...lost: readonly number[]): Promise<string[]> {
  const head = await at.store.journal.head(at.task);
  const left = at.kept.entries.filter(({ seq }) => !lost.includes(seq));
  at.kept.entries.splice(0, at.kept.entries.length, ...left);
  const journal = { ...at.store.journal, head: async () => head };
  const found = await verifyTask({ ...at.context, store: { ...at.store, journal } }, at.task);
  expect(found.entries).toBe(left.length);
  return found.faults.map(({ kind, seq, text }) => `${kind} ${seq}: ${text.replaceAll(at.task, 'T')}`);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

const cases: readonly [string, readonly number[], readonly string[]][] = [
  ['at the start', [0], ['completeness 0: Entry 0 of task T is missing.']],
  ['in the middle', range(1, 4), ['completeness 1: Entries 1–4 of task T are missing.']],
  ['of the entry that a packet witnessed', [2], ['completeness 2: Entry 2 of task T is missing.']],
  ['at the end', range(8, 9), ['completeness 8: Entries 8–9 of task T are missing.']],
  [
    'in several places',
    [0, 1, 5, 9],
    [
      'completeness 0: Entries 0–1 of task T are missing.',
      'completeness 5: Entry 5 of task T is missing.',
      'completeness 9: Entry 9 of task T is missing.',
    ],
  ],
  ['from start to end', range(0, 9), ['completeness 0: Entries 0–9 of task T are missing.']],
];

test.each(cases)('a gap %s is one fault, and what is left is not blamed', async (_where, lost, wanted) => {
  expect(await lose(await long(), ...lost)).toEqual(wanted);
});

test.each([
  ['before', range(250, 255)],
  ['across', range(250, 260)],
  ['after', range(256, 260)],
  ['of more than a page across', range(100, 450)],
])('a gap %s the border of a page is one fault', async (_where, lost) => {
  expect(await lose(await long(490), ...lost)).toEqual([
    `completeness ${lost[0]}: Entries ${lost[0]}–${lost.at(-1)} of task T are missing.`,
  ]);
});

test('an entry that was altered after a gap is named as altered', async () => {
  const at = await long();
  const entry = at.kept.entries[7];
  if (entry === undefined) throw new Error('there is no entry 7');
  at.kept.entries[7] = { ...entry, body: entry.body.replace('"text":"7"', '"text":"8"') };
  expect(await lose(at, 4)).toEqual([
    'completeness 4: Entry 4 of task T is missing.',
    'integrity 7: Entry 7 of task T: its bytes do not match its digest.',
  ]);
});

test('an entry that does not continue the one before it is named after a gap too', async () => {
  const at = await long();
  const entry = at.kept.entries[7];
  if (entry === undefined) throw new Error('there is no entry 7');
  const body = entry.body.replace('"text":"7"', '"text":"8"');
  at.kept.entries[7] = { ...entry, body, digest: entryDigest(body) };
  expect(await lose(at, 4)).toEqual([
    'completeness 4: Entry 4 of task T is missing.',
    'integrity 8: Entry 8 of task T: it does not continue the entry before it.',
  ]);
});

test('a journal in disorder does not make its reader go round for ever', async () => {
  const at = await long();
  const disorder: StoredEntry[] = at.kept.entries.slice(-2).toReversed();
  const journal = { ...at.store.journal, read: async () => disorder };
  const pages = entryPages({ ...at.context, store: { ...at.store, journal } }, at.task, { from: 8, to: 9 });
  let read = 0;
  for await (const page of pages) read += page.length;
  expect(read).toBe(4);
});
