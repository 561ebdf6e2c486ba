import type { ArchiveRecord } from './archive-read.ts';
import { ArchiveSignatures } from './archive-signatures.ts';
import { unsound, type ArchiveHeader } from './archive.ts';
import { assert } from '../base/assert.ts';
import type { Digest } from '../journal/digest.ts';
import { linkFaults, parseEntry, type Entry, type Link } from '../journal/entry.ts';
import { isStaffettaError } from '../base/error.ts';
import { eventBlobs } from '../journal/event-blobs.ts';
import type { EventOf } from '../journal/event.ts';
import { fold } from '../fold/fold.ts';
import type { TaskId } from '../journal/id.ts';
import { packetBlobs, parsePacket, type Packet } from '../packet/packet.ts';
import type { TaskState } from '../task/state.ts';
import { manifestBlobs, parseManifest } from '../tree/workspace.ts';

/** A journal of an export, read through. */
export interface CheckedJournal {
  readonly task: TaskId;
  /** What it adds up to. */
  readonly state: TaskState;
  /** The digest of every entry, by seq. */
  readonly digests: readonly Digest[];
  /** The chain after its last record: a second reading that comes to the same has read the same. */
  chain: Digest;
}

interface Expected {
  readonly digest: Digest;
  /** Set where the blob is a packet. */
  readonly sealed?: EventOf<'checkpoint-sealed'>;
  readonly kind: Exclude<CheckedRecord['kind'], 'entry' | 'packet'>;
}

/** What a record turned out to be. */
export type CheckedRecord =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'packet'; readonly packet: Packet }
  | { readonly kind: 'contract' | 'manifest' | 'transcript' | 'content' };

/**
 * What the records of an export say, judged: each journal is a chain that folds and ends at its head, each goes on from the one
 * before it, and the blobs are those that the entries name, all of them, once, in their order.
 */
export class ArchiveCheck {
  readonly #header: ArchiveHeader;
  readonly #journals: CheckedJournal[] = [];
  readonly #seen = new Set<Digest>();
  /** Checkpoints and approvals, by whether they are signed. */
  readonly signatures = new ArchiveSignatures();
  #expected: Expected[] = [];
  #digests: Digest[] = [];
  #state: TaskState | undefined;
  #last: Entry | undefined;

  constructor(header: ArchiveHeader) {
    this.#header = header;
  }

  /** The next record, in the order of the file. */
  take(item: ArchiveRecord): CheckedRecord {
    const taken = item.kind === 'entry' ? this.#entry(item) : this.#blob(item);
    const ended = this.#journals.at(-1);
    if (this.#state === undefined && ended !== undefined) ended.chain = item.chain;
    return taken;
  }

  /** Once there are no more. */
  end(): readonly CheckedJournal[] {
    this.#refuseMissing();
    const missing = this.#header.journals[this.#journals.length];
    if (missing !== undefined) throw unsound(`the journal of task ${missing.task} is not complete`);
    if (this.#seen.size !== this.#header.blobs)
      throw unsound(`it has ${this.#seen.size} blobs and should have ${this.#header.blobs}`);
    return this.#journals;
  }

  #entry(item: Extract<ArchiveRecord, { readonly kind: 'entry' }>): CheckedRecord {
    this.#refuseMissing();
    const at = this.#header.journals[this.#journals.length];
    const where = `entry ${item.seq} of task ${item.task}`;
    if (at === undefined || item.task !== at.task || item.seq !== this.#digests.length)
      throw unsound(`${where} is not the one that should come there`);
    const [fault] = linkFaults(item, this.#before());
    if (fault !== undefined) throw unsound(`${where}: ${fault}`);
    const entry = reading(where, () => parseEntry(item.body));
    if (entry.task !== item.task) throw unsound(`${where} belongs to task ${entry.task}`);
    const state = reading(where, () => fold(this.#state, entry, item.digest));
    this.signatures.entry(this.#state, entry);
    if (item.seq === 0) this.#refuseFork(state);
    this.#digests.push(item.digest);
    this.#expected = entry.events.flatMap((event) =>
      eventBlobs(event).map((digest) =>
        event.type === 'checkpoint-sealed' && digest === event.packet
          ? { digest, kind: 'content', sealed: event }
          : { digest, kind: 'contract' in event ? 'contract' : 'content' },
      ),
    );
    this.#last = entry;
    this.#state = state;
    const taken: CheckedRecord = { kind: 'entry', entry };
    if (item.seq < at.seq) return taken;
    if (item.digest !== at.digest) throw unsound(`${where} is not the head that the header names`);
    this.#journals.push({ task: at.task, state, digests: this.#digests, chain: item.chain });
    this.#digests = [];
    this.#state = undefined;
    return taken;
  }

  #before(): Link | undefined {
    const seq = this.#digests.length - 1;
    const digest = this.#digests[seq];
    return digest === undefined ? undefined : { seq, digest };
  }

  /** The first journal begins the history; each other one goes on from exactly where the one before it ends here. */
  #refuseFork({ task, fork }: TaskState): void {
    const before = this.#journals.at(-1)?.state;
    if (fork === undefined && before === undefined) return;
    const fits = fork?.task === before?.task && fork?.seq === before?.seq && fork?.digest === before?.head;
    const sealed = this.#last?.events.some(
      (event) => event.type === 'checkpoint-sealed' && event.packet === fork?.packet,
    );
    if (!fits || sealed !== true)
      throw unsound(`task ${task} does not go on from where the journal before it ends`);
  }

  #refuseMissing(): void {
    const missing = this.#expected.find(({ digest }) => !this.#seen.has(digest));
    if (missing !== undefined) throw unsound(`blob ${missing.digest} is missing`);
  }

  #blob({ digest, bytes }: Extract<ArchiveRecord, { readonly kind: 'blob' }>): CheckedRecord {
    while (this.#expected[0] !== undefined && this.#seen.has(this.#expected[0].digest))
      this.#expected.shift();
    const expected = this.#expected.shift();
    if (expected?.digest !== digest) throw unsound(`blob ${digest} is not the one that should come there`);
    this.#seen.add(digest);
    this.signatures.blob(digest, bytes);
    if (expected.kind === 'manifest') {
      const manifest = reading(`manifest ${digest}`, () => parseManifest(bytes));
      this.#expected.unshift(
        ...manifestBlobs(manifest).map((blob) => ({ digest: blob, kind: 'content' as const })),
      );
    }
    if (expected.sealed === undefined) return { kind: expected.kind };
    const packet = reading(`packet ${digest}`, () => parsePacket(bytes));
    this.#refusePacket(packet, expected.sealed);
    const kindOf = kindsIn(packet);
    this.#expected.unshift(...packetBlobs(packet).map((blob) => ({ digest: blob, kind: kindOf(blob) })));
    return { kind: 'packet', packet };
  }

  #refusePacket(packet: Packet, { packet: digest, parent }: EventOf<'checkpoint-sealed'>): void {
    assert(this.#last !== undefined, 'a packet comes after the entry that sealed it');
    const digests = this.#state === undefined ? (this.#journals.at(-1)?.digests ?? []) : this.#digests;
    const { seq } = packet.head;
    if (packet.task !== this.#last.task || packet.parent !== parent)
      throw unsound(`packet ${digest} does not continue the packet before it`);
    if (seq >= this.#last.seq || digests[seq] !== packet.head.digest)
      throw unsound(`packet ${digest} witnessed another entry ${seq} than the journal holds`);
  }
}

function kindsIn(packet: Packet): (blob: Digest) => Expected['kind'] {
  const pieces = new Set(packet.transcript.map(({ blob }) => blob));
  return (blob) => {
    if (blob === packet.facts?.manifest) return 'manifest';
    if (pieces.has(blob)) return 'transcript';
    return blob === packet.contract ? 'contract' : 'content';
  };
}

/** What cannot be read was written by newer software, or is not what it says. */
function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!isStaffettaError(cause)) throw cause;
    const newer = cause.code === 'store-newer';
    throw unsound(`${what}: ${cause.message.replace(/\.$/, '')}`, {
      cause,
      ...(newer ? { hint: 'Nothing was imported. Update staffetta to the version that wrote it.' } : {}),
    });
  }
}
