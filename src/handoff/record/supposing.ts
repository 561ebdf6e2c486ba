/**
 * A context in which entries are written as if: what comes after them is judged as it would be, and nothing is stored, signed, traced or
 * ended.
 * For a dry run of two steps, the second of which stands on the first.
 */
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Append, Appended, Head, JournalStore, StoredEntry } from '../../ports/journal.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import type { Context } from './context.ts';

export function supposing({
  tracing: _untold,
  signer: _unsigned,
  orphans: _running,
  ...context
}: Context): Context {
  const { address, catalog, mailbox, upkeep, journal, blobs } = context.store;
  const kept = new Map<Digest, Uint8Array>();
  const keep = (bytes: Uint8Array): Digest => {
    const digest = digestOf(bytes);
    kept.set(digest, bytes);
    return digest;
  };
  const supposed = new SupposedJournal(journal, (bytes) => void keep(bytes));
  const overlaid: BlobStore = {
    put: async (bytes) => await Promise.resolve(keep(bytes)),
    get: async (digest) => kept.get(digest) ?? (await blobs.get(digest)),
    remove: refused,
    list: async (after, limit) => await blobs.list(after, limit),
  };
  return {
    ...context,
    store: { address, catalog, mailbox, upkeep, close: closed, journal: supposed, blobs: overlaid },
  };
}

class SupposedJournal implements JournalStore {
  readonly #under: JournalStore;
  readonly #keep: (bytes: Uint8Array) => void;
  readonly #heads = new Map<TaskId, Head>();
  readonly #entries: StoredEntry[] = [];

  constructor(under: JournalStore, keep: (bytes: Uint8Array) => void) {
    this.#under = under;
    this.#keep = keep;
  }

  async head(task: TaskId): Promise<Head | undefined> {
    return this.#heads.get(task) ?? (await this.#under.head(task));
  }

  async append({ task, seq, digest, body, snapshot, lease, blobs = [] }: Append): Promise<Appended> {
    const head = await this.head(task);
    if (seq !== (head?.seq ?? -1) + 1) return { stored: false, head };
    for (const bytes of blobs) this.#keep(bytes);
    this.#entries.push({ task, seq, digest, body });
    const held = head?.lease ?? null;
    const until = 'keepUntil' in lease ? lease.keepUntil : 0;
    const after =
      'set' in lease
        ? lease.set
        : 'clear' in lease || held === null
          ? null
          : { ...held, until: Math.max(held.until, until) };
    this.#heads.set(task, { task, seq, digest, snapshot, lease: after });
    return { stored: true };
  }

  async read(task: TaskId, from: number, limit: number): Promise<readonly StoredEntry[]> {
    const own = this.#entries.filter((entry) => entry.task === task && entry.seq >= from);
    return [...(await this.#under.read(task, from, limit)), ...own].slice(0, limit);
  }

  async find(task: TaskId, key: string): Promise<StoredEntry | undefined> {
    return await this.#under.find(task, key);
  }

  async keys(task: TaskId): ReturnType<JournalStore['keys']> {
    return await this.#under.keys(task);
  }

  renew = refused;
  remove = refused;
  adopt = refused;
}

async function refused(): Promise<never> {
  return await Promise.reject(new StaffettaError('unavailable', 'What is only supposed is not kept.'));
}

/** What lies under it stays open. */
async function closed(): Promise<void> {
  await Promise.resolve();
}
