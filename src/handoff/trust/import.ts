/**
 * Brings a task from another store. The file is read twice: first to the end, judging everything, searching what is new for
 * secrets, and writing nothing; then again, putting blobs and adopting one journal after the other, what others go on from
 * first. A journal becomes visible whole, by one atomic change, after all of its blobs are there. A crash therefore leaves blobs
 * that nobody names, or whole tasks that nobody goes on from yet; importing again finishes.
 *
 * A task that is not over arrives as a copy (see `standingHere`): two stores must not both have a holder of one task.
 */
import { defined } from '../../core/base/defined.ts';
import { ArchiveCheck, type CheckedJournal } from '../../core/archive/archive-check.ts';
import { readArchive } from '../../core/archive/archive-read.ts';
import type { SealedBy } from '../../core/archive/archive-seal.ts';
import { unsound } from '../../core/archive/archive.ts';
import { assert } from '../../core/base/assert.ts';
import { cardOf } from '../../core/task/card.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { parseEntry } from '../../core/journal/entry.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { writeSnapshot } from '../../core/journal/snapshot.ts';
import { nobodysGeneration, standingHere } from '../../core/task/standing.ts';
import { isFinal, type Status } from '../../core/task/state.ts';
import type { AdoptedEntry, Head } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { stateAt } from '../record/load.ts';
import { freeDependents } from '../verbs/needs.ts';
import { touch } from '../record/touch.ts';

/** Gives the bytes of an export from the beginning, as often as it is called. */
export type ImportSource = () => AsyncIterable<Uint8Array>;

export interface ImportedTask {
  readonly task: TaskId;
  /** How it stands in this store now; `elsewhere` is a copy. */
  readonly status: Status;
  /** Entries that are new here. */
  readonly entries: number;
}

export interface Imported {
  readonly task: TaskId;
  readonly head: { readonly seq: number; readonly digest: Digest };
  /** The task and what it was forked from, in the order of the history. */
  readonly tasks: readonly ImportedTask[];
  /** Entries and blobs in the file. */
  readonly entries: number;
  readonly blobs: number;
  /** Checkpoints and approvals in the file: those whose signatures fit, and those without one. */
  readonly signatures: { readonly valid: number; readonly unsigned: number };
  /** Who vouches for the whole file, and whether this store knows the key as theirs; null where it is not signed. */
  readonly sealed: (SealedBy & { readonly known: boolean }) | null;
  /** Nothing was new. */
  readonly unchanged: boolean;
}

export async function importTask(
  context: Context,
  source: ImportSource,
  options: { readonly dryRun?: boolean } = {},
): Promise<Imported> {
  const headHere = async (task: TaskId): Promise<number> =>
    (await context.store.journal.head(task))?.seq ?? -1;
  const { journals, blobs, have, signatures, sealed } = await judgeExport(source, headHere);
  const last = journals.at(-1);
  assert(last !== undefined, 'an export has a journal');
  const plans: Plan[] = [];
  for (const journal of journals) plans.push(await planFor(context, journal));
  // What was removed since it was looked at would come again, and was not searched.
  if (plans.some((plan) => plan.have < (have.get(plan.journal.task) ?? -1)))
    return await importTask(context, source, options);
  const fresh = plans.some(({ journal, have }) => have < journal.state.seq);
  if (fresh && options.dryRun !== true) {
    for (const { journal, have } of plans) if (have >= journal.state.seq) await touch(context, journal.task);
    await bring(context, source, plans);
    for (const { journal } of plans) if (isFinal(journal.state)) await freeDependents(context, journal.task);
  }
  return {
    task: last.task,
    head: { seq: last.state.seq, digest: last.state.head },
    tasks: plans.map(({ journal, have, status }) => ({
      task: journal.task,
      status,
      entries: Math.max(0, journal.state.seq - have),
    })),
    entries: journals.reduce((sum, { digests }) => sum + digests.length, 0),
    blobs,
    signatures,
    sealed: sealed === null ? null : { ...sealed, known: await isKnown(context, sealed) },
    unchanged: !fresh,
  };
}

async function isKnown({ signer }: Context, { by, key }: SealedBy): Promise<boolean> {
  return (await signer?.knows(by, key)) ?? false;
}

export interface JudgedImport {
  readonly journals: readonly CheckedJournal[];
  readonly blobs: number;
  readonly signatures: { readonly valid: number; readonly unsigned: number };
  readonly sealed: SealedBy | null;
  /** By task: the last entry that was here already, and was not searched for secrets. */
  readonly have: ReadonlyMap<TaskId, number>;
}

/** Reads an export to its end, and refuses it if anything is wrong with it or if what is new in it holds a secret. */
export async function judgeExport(
  source: ImportSource,
  headHere: (task: TaskId) => Promise<number> = async () => -1,
): Promise<JudgedImport> {
  const { ArchiveSearch } = await import('../../core/archive/archive-search.ts');
  const search = new ArchiveSearch();
  const have = new Map<TaskId, number>();
  const isNew = (task: TaskId, seq: number): boolean => seq > (have.get(task) ?? -1);
  let check: ArchiveCheck | undefined;
  let blobs = 0;
  let sealed: SealedBy | null = null;
  for await (const item of readArchive(source())) {
    if (item.kind === 'header') {
      check = new ArchiveCheck(item.header);
      blobs = item.header.blobs;
      for (const { task } of item.header.journals) have.set(task, await headHere(task));
      continue;
    }
    if (item.kind === 'end') {
      ({ sealed } = item);
      continue;
    }
    assert(check !== undefined, 'an export begins with its header');
    search.take(item, check.take(item), isNew);
  }
  assert(check !== undefined, 'an export has a header');
  const journals = check.end();
  search.end();
  const { valid, unsigned } = check.signatures;
  return { journals, blobs, have, signatures: { valid, unsigned }, sealed };
}

interface Plan {
  readonly journal: CheckedJournal;
  readonly head: Head | undefined;
  /** The last entry that is here already; -1 for none. */
  readonly have: number;
  /** How it will stand here. */
  readonly status: Status;
}

/** What of a journal is new here. One that says something else than what is here is refused. */
async function planFor(context: Context, journal: CheckedJournal): Promise<Plan> {
  const { task, state, digests } = journal;
  const head = await context.store.journal.head(task);
  const status = isFinal(state) ? state.status : 'elsewhere';
  if (head === undefined) return { journal, head, have: -1, status };
  const here = await stateAt(context, head);
  const common = Math.min(head.seq, state.seq);
  if ((await digestAt(context, head, common)) !== digests[common]) {
    const seq = await partingOf(context, head, digests);
    // What was removed meanwhile says nothing either.
    if ((await context.store.journal.head(task))?.digest !== head.digest)
      return await planFor(context, journal);
    throw parted(task, seq);
  }
  if (head.seq >= state.seq) return { journal, head, have: head.seq, status: here.status };
  if (here.leg !== null) {
    const holder = here.leg.holder.name;
    throw new StaffettaError('held', `Task ${task} went on elsewhere, and is held here by ${holder}.`, {
      details: { task, holder },
      hint: 'Nothing was imported. Let the holder end its leg, and import again.',
    });
  }
  return { journal, head, have: head.seq, status };
}

async function digestAt(context: Context, head: Head, seq: number): Promise<Digest | undefined> {
  if (seq === head.seq) return head.digest;
  return (await context.store.journal.read(head.task, seq, 1))[0]?.digest;
}

/** Each entry binds those before it: two journals are the same up to one entry, and differ from there on. */
async function partingOf(context: Context, head: Head, digests: readonly Digest[]): Promise<number> {
  let same = 0;
  let differ = Math.min(head.seq, digests.length - 1);
  while (same < differ) {
    const middle = Math.floor((same + differ) / 2);
    if ((await digestAt(context, head, middle)) === digests[middle]) same = middle + 1;
    else differ = middle;
  }
  return differ;
}

function parted(task: TaskId, seq: number): StaffettaError {
  return new StaffettaError(
    'task-exists',
    `Task ${task} is here already, and is not the one in the file: they part at entry ${seq}.`,
    {
      details: { task, seq },
      hint: `Nothing was imported. See what happened here: staffetta log ${task} --from ${seq}`,
    },
  );
}

/** The second reading. What is adopted is what was judged: the chain has come to the same. */
async function bring(context: Context, source: ImportSource, plans: readonly Plan[]): Promise<void> {
  let at = 0;
  let seq = -1;
  let entries: AdoptedEntry[] = [];
  for await (const item of readArchive(source())) {
    if (item.kind === 'end') continue;
    const plan = plans[at];
    if (plan === undefined) throw changed();
    if (item.kind === 'entry') {
      ({ seq } = item);
      if (seq > plan.have) entries.push(adopted(item));
    } else if (item.kind === 'blob' && seq > plan.have) {
      await context.store.blobs.put(item.bytes, context.clock.now());
      context.reached('import:blob-stored');
    }
    if (item.chain !== plan.journal.chain) continue;
    await adopt(context, plan, entries);
    entries = [];
    at += 1;
  }
  if (at < plans.length) throw changed();
}

function changed(): StaffettaError {
  return unsound('it changed while it was read', {
    hint: 'Import it again, from a file that nobody writes.',
  });
}

function adopted({ task, seq, digest, body }: Omit<AdoptedEntry, 'key'>): AdoptedEntry {
  const { key } = parseEntry(body);
  return { task, seq, digest, body, ...defined({ key }) };
}

/** Others may import the same, or sweep: then what is here is looked at again. */
async function adopt(context: Context, plan: Plan, entries: readonly AdoptedEntry[]): Promise<void> {
  const { journal, have } = plan;
  for (let found = plan; ; found = await planFor(context, journal)) {
    if (found.have < have) {
      throw new StaffettaError('conflict', `Task ${journal.task} was removed while it was imported.`, {
        hint: 'Import it again.',
      });
    }
    const rest = entries.filter(({ seq }) => seq > found.have);
    if (rest.length === 0 || (await adoptEntries(context, found, rest))) break;
  }
  if (entries.length > 0) context.reached('import:adopted');
}

async function adoptEntries(
  context: Context,
  { journal, head }: Plan,
  entries: readonly AdoptedEntry[],
): Promise<boolean> {
  const { task, state } = journal;
  const lease = { generation: nobodysGeneration, until: context.clock.now() };
  try {
    const outcome = await context.store.journal.adopt({
      task,
      after: head === undefined ? null : { seq: head.seq, digest: head.digest },
      entries,
      snapshot: writeSnapshot(state),
      card: cardOf(standingHere(state, lease)),
      lease,
    });
    return outcome.stored;
  } catch (error) {
    if (!isStaffettaError(error, 'outcome-unknown')) throw error;
    if ((await context.store.journal.head(task))?.digest === state.head) return true;
    throw error;
  }
}
