/**
 * Exports that came to harm on their way, or that somebody put together wrongly and sealed again. Each is refused whole and in our words, or
 * what it brings can be verified and says what the original says.
 */
import type { TaskId } from '../../src/core/journal/id.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { randomFrom, type Random } from '../crash/random.ts';
import { flipBit, scribble, truncate, type Damage } from '../faults/damage.ts';
import { carryRound } from '../faults/library.ts';
import { exported, from, partsOf, resealed, type Part } from '../support/exports.ts';
import { stage, worldText } from '../support/world.ts';
import { isOver, Tally, type Trial } from './trial.ts';

interface Original {
  readonly task: TaskId;
  readonly bytes: Buffer;
  readonly parts: readonly Part[];
  readonly journal: readonly string[];
}

async function makeOriginal(): Promise<Original> {
  const here = stage({ gate: 'record' });
  await carryRound(here.staffetta, 0, 6);
  const [card] = (await here.staffetta.list()).cards;
  if (card === undefined) throw new Error('there is nothing to export');
  const bytes = await exported(here, card.task);
  const journal = (await here.store.journal.read(card.task, 0, 1000)).map(({ digest }) => digest);
  return { task: card.task, bytes, parts: partsOf(bytes), journal };
}

interface Forgery {
  readonly name: string;
  readonly apply: (original: Original, random: Random) => Buffer;
}

function byAccident(damage: Damage): Forgery {
  return { name: damage.name, apply: ({ bytes }, random) => damage.apply(bytes, random).bytes };
}

/** The records changed, and counts and chain made to fit: what only the digests of the contents can find. */
function byHand(name: string, change: (records: Part[], random: Random) => Part[]): Forgery {
  return {
    name,
    apply: ({ parts }, random) => resealed([...parts.slice(0, 1), ...change(parts.slice(1), random)]),
  };
}

function at(items: readonly unknown[], random: Random): number {
  return random.below(items.length);
}

const forgeries: readonly Forgery[] = [
  byAccident(flipBit),
  byAccident(scribble),
  byAccident(truncate),
  byHand('a record left out', (records, random) => records.toSpliced(at(records, random), 1)),
  byHand('a record twice', (records, random) => {
    const n = at(records, random);
    return records.toSpliced(n, 0, ...records.slice(n, n + 1));
  }),
  byHand('two records in each other’s place', (records, random) => {
    const [a, b] = [at(records, random), at(records, random)];
    return records.map((record, i) => (i === a ? records[b] : i === b ? records[a] : record) ?? record);
  }),
  byHand('a payload with another byte', (records, random) => {
    const n = at(records, random);
    return records.map((record, i) =>
      i === n && record.payload !== undefined && record.payload.length > 0
        ? { ...record, payload: flipBit.apply(record.payload, random).bytes }
        : record,
    );
  }),
];

/** What is wrong with how one file was dealt with, and whether it was refused. */
async function bring(file: Buffer, original: Original): Promise<{ refused: boolean; wrong: string[] }> {
  const there = stage({ seed: 2, gate: 'record' });
  const before = worldText(there.world);
  try {
    await there.staffetta.import(from(file, 4096));
  } catch (error) {
    if (!isStaffettaError(error)) return { refused: true, wrong: [`it threw ${String(error)}`] };
    return {
      refused: true,
      wrong: worldText(there.world) === before ? [] : ['it was refused and left something'],
    };
  }
  const { faults } = await there.staffetta.verify();
  const journal = (await there.store.journal.read(original.task, 0, 1000)).map(({ digest }) => digest);
  const same = journal.every((digest, i) => digest === original.journal[i]);
  return {
    refused: false,
    wrong: [
      ...faults.map(({ text }) => `taken, and verify says: ${text}`),
      ...(same ? [] : ['taken, and it tells another story']),
    ],
  };
}

export const hostileArchives: Trial = {
  name: 'Hostile archives',
  promise: 'P8: an export that is not what was written is refused whole; nothing of it is left behind',
  how: 'An export is harmed by accident (bits, bytes, its end) or by hand (records left out, repeated, swapped or changed, with counts and chain made to fit), and imported into an empty store',
  share: 1,
  async run(budget) {
    const tally = new Tally();
    const faults: string[] = [];
    const original = await makeOriginal();
    const random = randomFrom(budget.seed);
    for (let round = 0; round < 10 || !isOver(budget); round += 1) {
      for (const { name, apply } of forgeries) {
        const { refused, wrong } = await bring(apply(original, random), original);
        tally.add(name);
        tally.add(refused ? '→ refused' : '→ taken, and the same as the original');
        faults.push(...wrong.map((fault) => `seed ${budget.seed}: ${name}: ${fault}`));
      }
    }
    return { total: tally.total('archives'), counts: tally.counts, faults };
  },
};
