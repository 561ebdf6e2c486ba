/**
 * Trust, checked. Integrity: nothing that is there was altered (chain, digests, fold, references). Completeness: nothing that
 * should be there is missing (entries up to the head, blobs that entries and packets name, entries that packets witnessed).
 * The two are reported apart, because they have different causes: tampering or damage, and loss.
 */
import type { Digest } from '../core/digest.ts';
import { linkFaults, parseEntry, type Entry, type Link } from '../core/entry.ts';
import { isStaffettaError } from '../core/error.ts';
import { eventBlobs } from '../core/event.ts';
import { fold } from '../core/fold.ts';
import type { TaskId } from '../core/id.ts';
import { packetBlobs, parsePacket } from '../core/packet.ts';
import { readSnapshot } from '../core/snapshot.ts';
import type { TaskState } from '../core/state.ts';
import type { Head } from '../ports/journal.ts';
import type { Context } from './context.ts';
import { entriesOf, pageSize, unknownTask } from './load.ts';

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
  readonly faults: readonly Fault[];
}

interface Tally {
  tasks: number;
  entries: number;
  readonly blobs: Set<Digest>;
  readonly faults: Fault[];
}

function newTally(): Tally {
  return { tasks: 0, entries: 0, blobs: new Set(), faults: [] };
}

function result(tally: Tally): Verification {
  return { tasks: tally.tasks, entries: tally.entries, blobs: tally.blobs.size, faults: tally.faults };
}

export async function verifyTask(context: Context, task: TaskId): Promise<Verification> {
  const head = await context.store.journal.head(task);
  if (head === undefined) throw unknownTask(task);
  const tally = newTally();
  await checkTask(context, head, tally);
  return result(tally);
}

/** Every task, and the storage beneath. */
export async function verifyStore(context: Context): Promise<Verification> {
  const tally = newTally();
  for (const text of await context.store.upkeep.check()) tally.faults.push({ kind: 'integrity', text });
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const card of page.cards) {
      const head = await context.store.journal.head(card.task);
      if (head !== undefined) await checkTask(context, head, tally);
    }
    cursor = page.next;
  } while (cursor !== undefined);
  return result(tally);
}

async function checkTask(context: Context, head: Head, tally: Tally): Promise<void> {
  const { task } = head;
  tally.tasks += 1;
  let before: Link | undefined;
  let state: TaskState | undefined;
  let sound = true;
  const links = new Map<number, Digest>();
  for await (const stored of entriesOf(context, task, { to: head.seq })) {
    tally.entries += 1;
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
    links.set(stored.seq, stored.digest);
    const entry = readEntry(stored.body, { task, seq: stored.seq }, tally);
    if (entry === undefined) {
      sound = false;
      continue;
    }
    await checkBlobs(context, entry, links, tally);
    if (sound) state = foldEntry(state, entry, stored.digest, tally);
    sound &&= state !== undefined;
  }
  checkHead(head, before, sound ? state : undefined, tally);
}

function readEntry(
  body: string,
  at: { readonly task: TaskId; readonly seq: number },
  tally: Tally,
): Entry | undefined {
  try {
    return parseEntry(body);
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    tally.faults.push({
      kind: 'integrity',
      ...at,
      text: `Entry ${at.seq} of task ${at.task}: ${error.message}`,
    });
    return undefined;
  }
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

function checkHead(head: Head, last: Link | undefined, state: TaskState | undefined, tally: Tally): void {
  const { task, seq } = head;
  if (last === undefined || last.seq < seq) {
    const text = `Task ${task} ends at entry ${last?.seq ?? 'none'}, but its head is at ${seq}.`;
    tally.faults.push({ kind: 'completeness', task, seq, text });
  } else if (last.digest !== head.digest) {
    tally.faults.push({
      kind: 'integrity',
      task,
      seq,
      text: `The head of task ${task} names another entry ${seq} than the journal holds.`,
    });
  }
  const snapshot = readSnapshot(head.snapshot, head.digest);
  if (state !== undefined && (snapshot === undefined || JSON.stringify(snapshot) !== JSON.stringify(state))) {
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
      if (bytes === undefined || event.type !== 'checkpoint-sealed') continue;
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
    if (links.get(packet.head.seq) !== packet.head.digest) {
      tally.faults.push({
        kind: 'integrity',
        task,
        seq,
        blob: stored.digest,
        text: `Packet ${stored.digest} witnessed another entry ${packet.head.seq} than the journal holds.`,
      });
    }
    for (const blob of packetBlobs(packet)) await checkBlob(context, blob, entry, tally);
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
