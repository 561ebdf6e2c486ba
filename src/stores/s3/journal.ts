import { defined } from '../../core/base/defined.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Adoption, Append, JournalStore, Lease } from '../../ports/journal.ts';
import type { Hint } from '../../ports/mailbox.ts';
import { putBlob, type BlobsPut } from './blobs.ts';
import { refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import { inParallel, type Bucket } from './bucket.ts';
import { damagedObject } from './errors.ts';
import {
  entriesBetween,
  isSameLease,
  leaseAfter,
  plainEntry,
  readHead,
  seqOfKey,
  shownHead,
  spilled,
  swapHead,
  type KeptEntry,
  type KnownHead,
  type LiveTask,
} from './head.ts';
import { intentKey, keyPrefix, markerKey, newWriter, nextStamp, waitKey } from './keys.ts';
import { placeHint } from './mailbox.ts';

const empty = new Uint8Array();
/** So often a head may change by renewals while something else is changed. */
const roundsMax = 100;

/** What this connection knows of blobs, and whom it tells of hints. */
export interface Around {
  readonly blobs: BlobsPut;
  readonly ring: (hint: Hint) => void;
  /** Nobody need be told of the task's offer any more. */
  readonly settle: (task: TaskId) => void;
}

export function s3Journal(bucket: Bucket, around: Around): JournalStore {
  return {
    async head(task) {
      return shownHead(await readHead(bucket, task));
    },
    append: async (append) => await appendTo(bucket, around, append),
    adopt: async (adoption) => await adoptInto(bucket, adoption),
    async read(task, from, limit) {
      const entries = await readEntries(bucket, task, (live) => ({
        from,
        to: Math.min(live.seq, from + limit - 1),
      }));
      return entries.map((entry) => plainEntry(task, entry));
    },
    async find(task, key) {
      const [entry] = await readEntries(bucket, task, (live) => {
        const seq = seqOfKey(live, key);
        return seq === undefined ? undefined : { from: seq, to: seq };
      });
      return entry === undefined ? undefined : plainEntry(task, entry);
    },
    async keys(task) {
      const entries = await readEntries(bucket, task, ({ seq }) => ({ from: 0, to: seq }));
      return entries.flatMap(({ key, seq }) => (key === undefined ? [] : [{ key, seq }]));
    },
    async renew(task, generation, until) {
      let known = await readHead(bucket, task);
      for (let round = 0; round < roundsMax; round += 1) {
        const { live } = known.record;
        if (live?.lease?.generation !== generation) return null;
        const lease = { generation, until: Math.max(live.lease.until, until) };
        if (lease.until === live.lease.until) return lease.until;
        const { won, head } = await swapHead(bucket, known, { live: { ...live, lease } });
        if (won) return lease.until;
        known = head;
      }
      throw tooBusy(task);
    },
    async remove(task, seq, _at, ifLease) {
      return await removeTask(bucket, { task, seq, ifLease });
    },
  };
}

/** A segment that is gone was removed with its task, or with an earlier one of the same id. */
async function readEntries(
  bucket: Bucket,
  task: TaskId,
  choose: (live: LiveTask) => { readonly from: number; readonly to: number } | undefined,
): Promise<readonly KeptEntry[]> {
  for (let before: string | null = null; ;) {
    const known = await readHead(bucket, task);
    const range = known.record.live === null ? undefined : choose(known.record.live);
    if (known.record.live === null || range === undefined) return [];
    const entries = await entriesBetween(bucket, known.record.live, range);
    if (entries !== undefined) return entries;
    if (known.etag === before) throw damagedObject(`s/${task}/`);
    before = known.etag;
  }
}

function tooBusy(task: TaskId): StaffettaError {
  return new StaffettaError('store-busy', `Task ${task} is changed all the time by others.`, {
    hint: 'Try again.',
  });
}

/** What is to become of a head: the next state, and the entries that it gains. */
interface Step {
  readonly live: Pick<LiveTask, 'seq' | 'digest' | 'snapshot' | 'lease' | 'card' | 'waits'>;
  readonly gained: readonly KeptEntry[];
  readonly bumpsEpoch: boolean;
  readonly writer: string;
}

async function appendTo(
  bucket: Bucket,
  { blobs, ring, settle }: Around,
  append: Append,
): ReturnType<JournalStore['append']> {
  const { task, seq, digest, body, key, snapshot, card, waits = [], hint } = append;
  const writer = newWriter();
  let areBlobsPut = false;
  let known = await readHead(bucket, task);
  for (let round = 0; round < roundsMax; round += 1) {
    const { live } = known.record;
    if (!fits(append, live)) return { stored: false, head: shownHead(known) };
    if (!areBlobsPut) for (const blob of append.blobs ?? []) refuseLargeBlob(blob);
    const lease = leaseAfter(live?.lease ?? null, append.lease);
    const gained = [{ seq, digest, body, writer, ...defined({ key }) }];
    const step = {
      live: { seq, digest, snapshot, lease, card, waits },
      gained,
      bumpsEpoch: hint !== undefined,
      writer,
    };
    const putBlobs = async (): Promise<void> => {
      if (areBlobsPut) return;
      await inParallel(append.blobs ?? [], async (blob) => await putBlob(bucket, blobs, blob, append.at));
      areBlobsPut = true;
    };
    const { won, head } = await take(bucket, known, step, putBlobs);
    if (won) {
      if (hint !== undefined) settle(task);
      // The entry is stored, whatever becomes of the hint: recovery sends it again.
      if (hint !== undefined && 'send' in hint) {
        await quietly(placeHint(bucket, hint.send, head.record.epoch));
        ring(hint.send);
      }
      return { stored: true };
    }
    known = head;
  }
  throw tooBusy(task);
}

async function adoptInto(bucket: Bucket, adoption: Adoption): ReturnType<JournalStore['adopt']> {
  const { task, after, entries, snapshot, card, lease } = adoption;
  const writer = newWriter();
  let known = await readHead(bucket, task);
  for (let round = 0; round < roundsMax; round += 1) {
    const { live } = known.record;
    const isThere = live?.seq === after?.seq && live?.digest === after?.digest;
    const isTaken = entries.some(({ key }) => key !== undefined && seqOfKey(live, key) !== undefined);
    const last = entries.at(-1) ?? live;
    if (!isThere || isTaken || last === null) return { stored: false, head: shownHead(known) };
    const gained = entries.map(({ seq, digest, body, key }) => ({
      seq,
      digest,
      body,
      writer,
      ...defined({ key }),
    }));
    const next = { seq: last.seq, digest: last.digest, snapshot, lease, card, waits: [] };
    const { won, head } = await take(bucket, known, { live: next, gained, bumpsEpoch: true, writer });
    if (won) return { stored: true };
    known = head;
  }
  throw tooBusy(task);
}

function fits({ seq, ifLease, key }: Append, live: LiveTask | null): boolean {
  if ((live?.seq ?? -1) !== seq - 1) return false;
  if (ifLease !== undefined && !isSameLease(live?.lease ?? null, ifLease)) return false;
  return key === undefined || seqOfKey(live, key) === undefined;
}

/**
 * Everything that readers look for by another name than the task's is put before the head, and what is no longer so is taken away after it: a
 * reader finds too much, never too little, and the head tells it what is true.
 */
async function take(
  bucket: Bucket,
  known: KnownHead,
  step: Step,
  also: () => Promise<void> = async () => {},
): Promise<{ readonly won: boolean; readonly head: KnownHead }> {
  const { task, record: base } = known;
  const inc = base.live === null ? base.inc + 1 : base.inc;
  const stamp = nextStamp(base.stamp + 1);
  const spill = spilled(task, inc, {
    entries: [...(base.live?.entries ?? []), ...step.gained],
    segments: base.live?.segments ?? [],
    older: base.live?.older ?? [],
  });
  const { card, seq, waits } = step.live;
  const epoch = base.epoch + (step.bumpsEpoch ? 1 : 0);
  const before = base.live?.marker;
  const isMarked =
    base.live !== null && isSameMark(base.live.card, card) && (card.to === null || epoch === base.epoch);
  const marker = isMarked && before !== undefined ? before : markerKey(card, { inc, seq, epoch });
  const [first, last] = [step.gained[0], step.gained.at(-1)];
  const intent =
    first === undefined || last === undefined
      ? undefined
      : intentKey({ stamp, task, inc, from: first.seq, to: last.seq, writer: step.writer });
  const had = new Set(base.live?.waits.map(({ need }) => need));
  const puts = [
    ...(intent === undefined ? [] : [intent]),
    ...(isMarked ? [] : [marker]),
    ...step.gained.flatMap(({ key }) => (key === undefined ? [] : [`${keyPrefix(key)}${task}`])),
    ...waits.filter(({ need }) => !had.has(need)).map(({ need }) => waitKey(need, task)),
  ];
  await Promise.all([
    also(),
    inParallel(puts, async (key) => await bucket.put(key, empty)),
    inParallel(
      spill.written,
      async ({ name, entries }) => await bucket.put(name, Buffer.from(JSON.stringify(entries))),
    ),
  ]);
  const { entries, segments, older } = spill;
  const outcome = await swapHead(bucket, known, {
    inc,
    stamp,
    epoch,
    live: { ...step.live, marker, entries, segments, older },
    writer: step.writer,
  });
  const names = new Set<string>(waits.map(({ need }) => need));
  const left = [...had].filter((need) => !names.has(need)).map((need) => waitKey(need, task));
  const over = outcome.won
    ? [...(isMarked || before === undefined ? [] : [before]), ...left]
    : [...(intent === undefined ? [] : [intent]), ...spill.written.map(({ name }) => name)];
  await quietly(inParallel(over, async (key) => await bucket.remove(key)));
  return outcome;
}

function isSameMark(one: LiveTask['card'], other: LiveTask['card']): boolean {
  return (
    one.status === other.status &&
    one.openedAt === other.openedAt &&
    one.dead === other.dead &&
    one.to === other.to &&
    one.expiresAt === other.expiresAt
  );
}

interface TaskRemoval {
  readonly task: TaskId;
  readonly seq: number;
  readonly ifLease: Lease | null | undefined;
}

async function removeTask(bucket: Bucket, { task, seq, ifLease }: TaskRemoval): Promise<boolean> {
  let known = await readHead(bucket, task);
  for (let round = 0; round < roundsMax; round += 1) {
    const { live, epoch } = known.record;
    if (live === null || live.seq !== seq) return false;
    if (ifLease !== undefined && !isSameLease(live.lease, ifLease)) return false;
    const entries = await readEntries(bucket, task, (there) => ({ from: 0, to: there.seq }));
    const { won, head } = await swapHead(bucket, known, { live: null, epoch: epoch + 1 });
    if (won) {
      const gone = [
        live.marker,
        ...live.segments.map(({ name }) => name),
        ...live.waits.map(({ need }) => waitKey(need, task)),
        ...entries.flatMap(({ key }) => (key === undefined ? [] : [`${keyPrefix(key)}${task}`])),
      ];
      await quietly(inParallel(gone, async (key) => await bucket.remove(key)));
      return true;
    }
    known = head;
  }
  throw tooBusy(task);
}

/** The change is made. What is left lying is found out as that by its reader. */
async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StaffettaError)) throw error;
  }
}
