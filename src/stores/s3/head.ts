/**
 * The head object of a task: everything that must change together, so that one write under a condition is an append, a renewal, an
 * adoption or a removal. It holds where the journal ends, the snapshot, the card, the lease, what the task waits for, its keys, and its latest entries;
 * older entries lie in segments that it names, written before it.
 *
 * `by` names the latest writers, so that one whose answer was lost finds out whether it wrote. `inc` counts how often the id
 * began, `epoch` how often its hints were changed: a hint of another epoch is none. The head of a removed task stays, without `live`.
 */
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Card } from '../../core/task/card.ts';
import type { Wait } from '../../core/task/waits.ts';
import type { Head, Lease, LeaseChange, StoredEntry } from '../../ports/journal.ts';
import type { Bucket, FoundObject } from './bucket.ts';
import { damagedObject, unknownChange } from './errors.ts';
import { headKey, newWriter, segmentKey } from './keys.ts';

export interface KeptEntry {
  readonly seq: number;
  readonly digest: Digest;
  readonly body: string;
  readonly key?: string;
  readonly writer: string;
}

export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

export interface LiveTask {
  readonly seq: number;
  readonly digest: Digest;
  readonly snapshot: string;
  readonly lease: Lease | null;
  readonly card: Card;
  /** The key of the marker by which lists find it. */
  readonly marker: string;
  readonly waits: readonly Wait[];
  readonly entries: readonly KeptEntry[];
  readonly segments: readonly Segment[];
  /** Keys of entries in segments, as digests. */
  readonly older: readonly (readonly [key: string, seq: number])[];
}

export interface HeadRecord {
  readonly v: 1;
  /** How often this object was written. */
  readonly n: number;
  readonly by: readonly string[];
  readonly inc: number;
  readonly epoch: number;
  /** Of the latest entry. */
  readonly stamp: number;
  readonly live: LiveTask | null;
}

export interface KnownHead {
  readonly task: TaskId;
  readonly record: HeadRecord;
  /** Null: there is no object yet. */
  readonly etag: string | null;
}

const writersKept = 16;
const nothing: HeadRecord = { v: 1, n: 0, by: [], inc: 0, epoch: 0, stamp: 0, live: null };

export async function readHead(bucket: Bucket, task: TaskId): Promise<KnownHead> {
  return headFrom(task, await bucket.get(headKey(task)));
}

function headFrom(task: TaskId, found: FoundObject | undefined): KnownHead {
  if (found === undefined) return { task, record: nothing, etag: null };
  return { task, record: parseRecord(task, found.bytes), etag: found.etag };
}

function parseRecord(task: TaskId, bytes: Uint8Array): HeadRecord {
  let record: HeadRecord;
  try {
    record = JSON.parse(Buffer.from(bytes).toString('utf8')) as HeadRecord;
  } catch (cause) {
    throw damagedObject(headKey(task), cause);
  }
  const { v, by, live } = record;
  const isWhole =
    v === 1 &&
    Array.isArray(by) &&
    (live === null || (Array.isArray(live.entries) && live.card.task === task));
  if (!isWhole) throw damagedObject(headKey(task));
  return record;
}

export type HeadChange = Partial<Pick<HeadRecord, 'inc' | 'epoch' | 'stamp' | 'live'>>;

/** The change, if the head is still the known one; else the head that there is. */
export async function swapHead(
  bucket: Bucket,
  known: KnownHead,
  change: HeadChange & { readonly writer?: string },
): Promise<{ readonly won: boolean; readonly head: KnownHead }> {
  const { task, record: base } = known;
  const { writer = newWriter(), ...changed } = change;
  const record: HeadRecord = {
    ...base,
    ...changed,
    n: base.n + 1,
    by: [...base.by, writer].slice(-writersKept),
  };
  const outcome = await bucket.swap(headKey(task), {
    base: known.etag,
    bytes: Buffer.from(JSON.stringify(record)),
    isMine: (bytes) => {
      const there = parseRecord(task, bytes);
      if (there.by.includes(writer)) return true;
      // The writer at this number is named no more.
      if (there.n > base.n + writersKept) throw unknownChange(bucket.store, undefined);
      return false;
    },
  });
  if (outcome.won) return { won: true, head: { task, record, etag: outcome.etag } };
  return { won: false, head: headFrom(task, outcome.found) };
}

export function shownHead({ task, record: { live } }: KnownHead): Head | undefined {
  if (live === null) return undefined;
  const { seq, digest, snapshot, lease } = live;
  return { task, seq, digest, snapshot, lease };
}

export function isSameLease(one: Lease | null, other: Lease | null): boolean {
  return one?.generation === other?.generation && one?.until === other?.until;
}

export function leaseAfter(lease: Lease | null, change: LeaseChange): Lease | null {
  if ('set' in change) return change.set;
  if ('clear' in change || lease === null) return null;
  return { generation: lease.generation, until: Math.max(lease.until, change.keepUntil) };
}

/** A digest of 128 bits: two keys of a task that have the same are the same. */
function keyMark(key: string): string {
  return sha256Hex(key).slice(0, 32);
}

export function seqOfKey(live: LiveTask | null, key: string): number | undefined {
  if (live === null) return undefined;
  const recent = live.entries.find((entry) => entry.key === key);
  if (recent !== undefined || live.older.length === 0) return recent?.seq;
  const mark = keyMark(key);
  return live.older.find(([older]) => older === mark)?.[1];
}

/** Up to so many entries, and so many characters of them, stay in the head. When it has more, all but the latest few leave it. */
const entriesMax = 32;
const charsMax = 128 * 1024;
const entriesLeft = 8;
const charsLeft = 32 * 1024;
const segmentCharsMax = 1024 * 1024;

export interface Spill {
  readonly entries: readonly KeptEntry[];
  readonly segments: readonly Segment[];
  readonly older: LiveTask['older'];
  /** To be written before the head. */
  readonly written: readonly { readonly name: string; readonly entries: readonly KeptEntry[] }[];
}

/** What is left in the head, and what goes into segments. */
export function spilled(
  task: TaskId,
  inc: number,
  { entries, segments, older }: Pick<LiveTask, 'entries' | 'segments' | 'older'>,
): Spill {
  if (entries.length <= entriesMax && charsOf(entries) <= charsMax)
    return { entries, segments, older, written: [] };
  let first = Math.max(0, entries.length - entriesLeft);
  while (first < entries.length - 1 && charsOf(entries.slice(first)) > charsLeft) first += 1;
  const leaving = entries.slice(0, first);
  const written = inPieces(leaving).map((piece) => {
    const from = piece[0]?.seq ?? 0;
    const name = segmentKey(task, { inc, from, writer: newWriter() });
    return { name, from, to: piece.at(-1)?.seq ?? from, entries: piece };
  });
  return {
    entries: entries.slice(first),
    segments: [...segments, ...written.map(({ from, to, name }) => ({ from, to, name }))],
    older: [
      ...older,
      ...leaving.flatMap(({ key, seq }) => (key === undefined ? [] : [[keyMark(key), seq] as const])),
    ],
    written,
  };
}

function charsOf(entries: readonly KeptEntry[]): number {
  return entries.reduce((sum, { body }) => sum + body.length, 0);
}

function inPieces(entries: readonly KeptEntry[]): KeptEntry[][] {
  const pieces: KeptEntry[][] = [];
  let chars = segmentCharsMax;
  for (const entry of entries) {
    if (chars + entry.body.length > segmentCharsMax) {
      pieces.push([]);
      chars = 0;
    }
    pieces.at(-1)?.push(entry);
    chars += entry.body.length;
  }
  return pieces;
}

/** Entries from `from` to `to`, in order. Undefined: a segment is gone, so the head is another one by now. */
export async function entriesBetween(
  bucket: Bucket,
  live: LiveTask,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly KeptEntry[] | undefined> {
  const found: KeptEntry[] = [];
  for (const segment of live.segments) {
    if (segment.to < from || segment.from > to) continue;
    const object = await bucket.get(segment.name);
    if (object === undefined) return undefined;
    found.push(...segmentFrom(segment.name, object.bytes));
  }
  found.push(...live.entries);
  return found.filter(({ seq }) => seq >= from && seq <= to);
}

function segmentFrom(name: string, bytes: Uint8Array): readonly KeptEntry[] {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as readonly KeptEntry[];
  } catch (cause) {
    throw damagedObject(name, cause);
  }
}

export function plainEntry(task: TaskId, { seq, digest, body }: KeptEntry): StoredEntry {
  return { task, seq, digest, body };
}
