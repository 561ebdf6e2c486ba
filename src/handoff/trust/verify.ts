/**
 * Trust, checked. Integrity: nothing that is there was altered (chain, digests, fold, references). Completeness: nothing that
 * should be there is missing (entries up to the head, blobs that entries and packets name, entries that packets witnessed).
 * The two are reported apart, because they have different causes: tampering or damage, and loss.
 */
import { canonical } from '../../core/journal/canonical.ts';
import { cardOf } from '../../core/task/card.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { linkFaults, parseEntry, type Entry, type Link } from '../../core/journal/entry.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { eventBlobs } from '../../core/journal/event-blobs.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { isFarAhead } from '../../core/task/lapse.ts';
import { timeText } from '../../core/task/lease.ts';
import { packetBlobs, parsePacket } from '../../core/packet/packet.ts';
import { manifestBlobs, parseManifest } from '../../core/tree/workspace.ts';
import { inspectSnapshot } from '../../core/journal/snapshot.ts';
import { standingHere, touchedAt } from '../../core/task/standing.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { DamagedCard, Head, ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { allCards, tasksInFeed } from '../record/all-tasks.ts';
import { entriesOf, unknownTask } from '../record/load.ts';
import { forkFaults } from './verify-fork.ts';
import { keyFaults } from './verify-keys.ts';
import { noSignatures, signatureFaults, type Signatures } from './verify-signatures.ts';

export interface Fault {
  readonly kind: 'integrity' | 'completeness';
  readonly task?: TaskId;
  readonly seq?: number;
  readonly blob?: Digest;
  readonly text: string;
}

export interface Verification {
  readonly tasks: number;
  readonly entries: number;
  readonly blobs: number;
  readonly signatures: Readonly<Signatures>;
  readonly faults: readonly Fault[];
}

interface Tally {
  tasks: number;
  entries: number;
  readonly blobs: Set<Digest>;
  readonly signatures: Signatures;
  readonly faults: Fault[];
}

function newTally(): Tally {
  return { tasks: 0, entries: 0, blobs: new Set(), signatures: noSignatures(), faults: [] };
}

function result(tally: Tally): Verification {
  return { ...tally, blobs: tally.blobs.size };
}

export async function verifyTask(context: Context, task: TaskId): Promise<Verification> {
  const head = await context.store.journal.head(task);
  if (head === undefined) throw unknownTask(task);
  const tally = newTally();
  // A fork is as sound as what it goes on from.
  const seen = new Set<TaskId>();
  for (let at: Head | undefined = head; at !== undefined && !seen.has(at.task);) {
    seen.add(at.task);
    const origin: TaskId | undefined = (await checkTask(context, at, tally))?.fork?.task;
    at = origin === undefined ? undefined : await context.store.journal.head(origin);
  }
  return result(tally);
}

/** Every task, and the storage beneath. */
export async function verifyStore(context: Context): Promise<Verification> {
  const tally = newTally();
  await reporting(tally, {}, async () => {
    tally.faults.push(...(await context.store.upkeep.check()));
  });
  const checked = new Set<TaskId>();
  const onDamaged = ({ task, why }: DamagedCard): unknown =>
    tally.faults.push({ kind: 'integrity', task, text: `Task ${task}: ${why}.` });
  const readable = await reporting(tally, {}, async () => {
    for await (const card of allCards(context, onDamaged)) {
      checked.add(card.task);
      await checkListed(context, card, tally);
    }
  });
  // The list hides tasks that it cannot show or sorts wrongly; each entry still says whose it is.
  if (!readable || tally.faults.length > 0) {
    await reporting(tally, {}, async () => {
      for await (const task of tasksInFeed(context)) {
        if (checked.has(task)) continue;
        checked.add(task);
        await checkListed(context, { task }, tally);
      }
    });
  }
  return result(tally);
}

/** Damage that stops a reading is a fault like any other, and no reason to stop looking. */
async function reporting(
  tally: Tally,
  at: { readonly task?: TaskId },
  body: () => Promise<void>,
): Promise<boolean> {
  try {
    await body();
    return true;
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
    tally.faults.push({ kind: 'integrity', ...at, text: error.message });
    return false;
  }
}

async function checkListed(
  context: Context,
  card: Partial<ListedCard> & { readonly task: TaskId },
  tally: Tally,
): Promise<void> {
  const { task } = card;
  await reporting(tally, { task }, async () => {
    const head = await context.store.journal.head(task);
    if (head === undefined) return;
    const state = await checkTask(context, head, tally);
    // A card of another seq was listed before the task moved on; the store itself compares the two numbers.
    if (state === undefined || card.seq !== state.seq) return;
    const { leaseUntil: _lease, ...shown } = card;
    if (canonical(shown) === canonical(cardOf(standingHere(state, head.lease)))) return;
    const text = `The list shows task ${task} otherwise than its journal adds up to.`;
    tally.faults.push({ kind: 'integrity', task, seq: head.seq, text });
  });
}

/** Returns what the journal adds up to, if it is sound. */
async function checkTask(context: Context, head: Head, tally: Tally): Promise<TaskState | undefined> {
  const { task } = head;
  tally.tasks += 1;
  let before: Link | 'missing' | undefined;
  let next = 0;
  let state: TaskState | undefined;
  let sound = true;
  const links = new Map<number, Digest>();
  const keys = new Map<number, string | undefined>();
  for await (const stored of entriesOf(context, task, { to: head.seq })) {
    tally.entries += 1;
    if (stored.seq > next) {
      sound = false;
      before = 'missing';
      tally.faults.push(gap(task, next, stored.seq - 1));
    }
    for (const fault of linkFaults(stored, before)) {
      sound = false;
      tally.faults.push({
        kind: 'integrity',
        task,
        seq: stored.seq,
        text: `Entry ${stored.seq} of task ${task}: ${fault}.`,
      });
    }
    before = { seq: stored.seq, digest: stored.digest };
    next = stored.seq + 1;
    links.set(stored.seq, stored.digest);
    const entry = readEntry(stored.body, { task, seq: stored.seq }, tally);
    if (entry === undefined) {
      sound = false;
      continue;
    }
    keys.set(entry.seq, entry.key);
    await checkBlobs(context, entry, links, tally);
    tally.faults.push(...(await forkFaults(context, entry)));
    if (sound) tally.faults.push(...(await signatureFaults(context, state, entry, tally.signatures)));
    if (sound) state = foldEntry(state, entry, stored.digest, tally);
    sound &&= state !== undefined;
  }
  tally.faults.push(...(await keyFaults(context, head, keys)));
  if (next <= head.seq) tally.faults.push(gap(task, next, head.seq));
  else checkHead(head, before, sound ? state : undefined, tally);
  if (sound && state !== undefined) checkLease(head, state, tally);
  checkReach(head, context.clock.now(), tally);
  await checkBeyond(context, head, tally);
  return sound ? state : undefined;
}

/** What lies after a gap is judged by itself, so that one loss is one fault. */
function gap(task: TaskId, from: number, to: number): Fault {
  const what = from === to ? `Entry ${from} of task ${task} is` : `Entries ${from}–${to} of task ${task} are`;
  return { kind: 'completeness', task, seq: from, text: `${what} missing.` };
}

/** A lease is renewed outside the journal, but it is granted and ended inside. */
function checkLease({ task, seq, lease }: Head, { leg }: TaskState, tally: Tally): void {
  // Nobody's lease says when the task was touched from outside, and grants nothing.
  if (touchedAt(lease) !== null) return;
  const granted = leg === null ? null : leg.generation;
  if (granted === (lease?.generation ?? null) && (leg?.leaseUntil ?? 0) <= (lease?.until ?? 0)) return;
  const text = `The lease of task ${task} is not the one that its journal granted.`;
  tally.faults.push({ kind: 'integrity', task, seq, text });
}

/** No clock that is right sets a lease so far ahead, and an agent that waits for its end may wait for years. */
function checkReach({ task, seq, lease }: Head, now: number, tally: Tally): void {
  if (lease === null || !isFarAhead(lease.until, now)) return;
  const end = timeText(lease.until);
  const text = `The lease of task ${task} ends at ${end}, further ahead than a lease may be: some clock was wrong. See: staffetta recover`;
  tally.faults.push({ kind: 'integrity', task, seq, text });
}

/** Entry and head become visible together, so an entry that a head read after it does not cover was cut off from it. */
async function checkBeyond(context: Context, { task, seq }: Head, tally: Tally): Promise<void> {
  const [beyond] = await context.store.journal.read(task, seq + 1, 1);
  if (beyond === undefined) return;
  const head = await context.store.journal.head(task);
  if (head === undefined || head.seq >= beyond.seq) return;
  const text = `Task ${task} has an entry ${beyond.seq}, but its head is at ${head.seq}.`;
  tally.faults.push({ kind: 'integrity', task, seq: beyond.seq, text });
}

function readEntry(
  body: string,
  at: { readonly task: TaskId; readonly seq: number },
  tally: Tally,
): Entry | undefined {
  try {
    const entry = parseEntry(body);
    if (entry.task === at.task) return entry;
    const text = `Entry ${at.seq} of task ${at.task}: it belongs to task ${entry.task}.`;
    tally.faults.push({ kind: 'integrity', ...at, text });
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    tally.faults.push({
      kind: 'integrity',
      ...at,
      text: `Entry ${at.seq} of task ${at.task}: ${error.message}`,
    });
  }
  return undefined;
}

function foldEntry(
  state: TaskState | undefined,
  entry: Entry,
  digest: Digest,
  tally: Tally,
): TaskState | undefined {
  try {
    return fold(state, entry, digest);
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    const { task, seq } = entry;
    tally.faults.push({
      kind: 'integrity',
      task,
      seq,
      text: `Entry ${seq} of task ${task}: ${error.message}`,
    });
    return undefined;
  }
}

function checkHead(
  head: Head,
  last: Link | 'missing' | undefined,
  state: TaskState | undefined,
  tally: Tally,
): void {
  const { task, seq } = head;
  if (typeof last === 'object' && last.digest !== head.digest) {
    tally.faults.push({
      kind: 'integrity',
      task,
      seq,
      text: `The head of task ${task} names another entry ${seq} than the journal holds.`,
    });
  }
  const snapshot = inspectSnapshot(head.snapshot, head.digest);
  if (state === undefined || snapshot === 'other-fold') return;
  if (JSON.stringify(snapshot) !== JSON.stringify(state)) {
    tally.faults.push({
      kind: 'integrity',
      task,
      seq,
      text: `The stored state of task ${task} is not what its journal adds up to.`,
    });
  }
}

async function checkBlobs(
  context: Context,
  entry: Entry,
  links: ReadonlyMap<number, Digest>,
  tally: Tally,
): Promise<void> {
  for (const event of entry.events) {
    for (const digest of eventBlobs(event)) {
      const bytes = await checkBlob(context, digest, entry, tally);
      if (bytes === undefined || event.type !== 'checkpoint-sealed' || digest !== event.packet) continue;
      await checkPacket(context, { bytes, digest, parent: event.parent }, entry, links, tally);
    }
  }
}

async function checkPacket(
  context: Context,
  stored: { readonly bytes: Uint8Array; readonly digest: Digest; readonly parent: Digest | null },
  entry: Entry,
  links: ReadonlyMap<number, Digest>,
  tally: Tally,
): Promise<void> {
  const { task, seq } = entry;
  try {
    const packet = parsePacket(stored.bytes);
    if (packet.parent !== stored.parent || packet.task !== task) {
      tally.faults.push({
        kind: 'integrity',
        task,
        seq,
        blob: stored.digest,
        text: `Packet ${stored.digest} does not continue the packet before it.`,
      });
    }
    const witnessed = links.get(packet.head.seq);
    // An entry before this one that is not there is missing, which is said already.
    if (witnessed !== packet.head.digest && (witnessed !== undefined || packet.head.seq >= seq)) {
      tally.faults.push({
        kind: 'integrity',
        task,
        seq,
        blob: stored.digest,
        text: `Packet ${stored.digest} witnessed another entry ${packet.head.seq} than the journal holds.`,
      });
    }
    for (const blob of packetBlobs(packet)) {
      const bytes = await checkBlob(context, blob, entry, tally);
      if (bytes === undefined || blob !== packet.facts?.manifest) continue;
      for (const content of manifestBlobs(parseManifest(bytes)))
        await checkBlob(context, content, entry, tally);
    }
  } catch (error) {
    if (!isStaffettaError(error) && !(error instanceof SyntaxError)) throw error;
    tally.faults.push({
      kind: 'integrity',
      task,
      seq,
      blob: stored.digest,
      text: `Packet ${stored.digest}: ${error.message}`,
    });
  }
}

async function checkBlob(
  context: Context,
  digest: Digest,
  entry: Entry,
  tally: Tally,
): Promise<Uint8Array | undefined> {
  const { task, seq } = entry;
  try {
    const bytes = await context.store.blobs.get(digest);
    tally.blobs.add(digest);
    if (bytes === undefined) {
      tally.faults.push({
        kind: 'completeness',
        task,
        seq,
        blob: digest,
        text: `Entry ${seq} of task ${task} names ${digest}, which is missing.`,
      });
    }
    return bytes;
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
    tally.faults.push({ kind: 'integrity', task, seq, blob: digest, text: error.message });
    return undefined;
  }
}
