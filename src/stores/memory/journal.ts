import type { TaskId } from '../../core/journal/id.ts';
import type {
  Append,
  FeedEntry,
  Head,
  JournalStore,
  Lease,
  LeaseChange,
  StoredEntry,
} from '../../ports/journal.ts';
import { refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import { putBlob } from './blobs.ts';
import { dropHints, putHint } from './mailbox.ts';
import type { MemoryTask, World } from './world.ts';

export function memoryJournal(world: World): JournalStore {
  return {
    async head(task) {
      return headOf(task, world.tasks.get(task));
    },
    async append(append) {
      const task = world.tasks.get(append.task);
      const head = headOf(append.task, task);
      if (!fits(append, head) || (append.key !== undefined && task?.keys.has(append.key) === true)) {
        return { stored: false, head };
      }
      for (const blob of append.blobs ?? []) refuseLargeBlob(blob);
      for (const blob of append.blobs ?? []) putBlob(world, blob, append.at);
      store(world, append, task);
      if (append.hint !== undefined) dropHints(world, append.task);
      if (append.hint !== undefined && 'send' in append.hint) putHint(world, append.hint.send);
      return { stored: true };
    },
    async read(task, from, limit) {
      const entries = world.tasks.get(task)?.entries ?? [];
      // By number and not by place: where entries were lost, the two differ.
      const first = entries[from]?.seq === from ? from : entries.findIndex(({ seq }) => seq >= from);
      return first === -1 ? [] : entries.slice(first, first + limit).map(plain);
    },
    async find(task, key) {
      const seq = world.tasks.get(task)?.keys.get(key);
      const entry = world.tasks.get(task)?.entries.find((one) => one.seq === seq);
      return entry === undefined ? undefined : plain(entry);
    },
    async keys(task) {
      const keys = [...(world.tasks.get(task)?.keys ?? [])].map(([key, seq]) => ({ key, seq }));
      return keys.toSorted((a, b) => a.seq - b.seq);
    },
    async renew(task, generation, until) {
      const found = world.tasks.get(task);
      if (found?.lease?.generation !== generation) return null;
      found.lease = { generation, until: Math.max(found.lease.until, until) };
      return found.lease.until;
    },
    async remove(task, seq, _at, ifLease) {
      const found = world.tasks.get(task);
      if (found === undefined || found.entries.length - 1 !== seq) return false;
      if (ifLease !== undefined && !sameLease(found.lease, ifLease)) return false;
      const gone = new Set(found.entries);
      world.feed.splice(0, world.feed.length, ...world.feed.filter((entry) => !gone.has(entry)));
      dropHints(world, task);
      world.removed.add(task);
      return world.tasks.delete(task);
    },
    async adopt(adoption) {
      const { task, after, entries } = adoption;
      const there = world.tasks.get(task);
      const head = headOf(task, there);
      const fits = head?.seq === after?.seq && head?.digest === after?.digest;
      const taken = entries.some(({ key }) => key !== undefined && there?.keys.has(key) === true);
      if (!fits || taken) return { stored: false, head };
      for (const entry of entries) store(world, { ...adoption, ...entry, lease: { clear: true } }, there);
      const found = world.tasks.get(task);
      if (found === undefined) return { stored: false, head };
      const { snapshot, card, lease } = adoption;
      Object.assign(found, { snapshot, card, waits: [], lease });
      dropHints(world, task);
      return { stored: true };
    },
  };
}

/** Whether the head is where the append expects it; the two halves of compare-and-swap. */
function fits(append: Append, head: Head | undefined): boolean {
  if ((head?.seq ?? -1) !== append.seq - 1) return false;
  if (append.ifLease === undefined) return true;
  return sameLease(head?.lease ?? null, append.ifLease);
}

function sameLease(one: Lease | null, other: Lease | null): boolean {
  return one?.generation === other?.generation && one?.until === other?.until;
}

function changedLease(lease: Lease | null, change: LeaseChange): Lease | null {
  if ('set' in change) return change.set;
  if ('clear' in change || lease === null) return null;
  return { generation: lease.generation, until: Math.max(lease.until, change.keepUntil) };
}

type Kept = Pick<
  Append,
  'task' | 'seq' | 'digest' | 'body' | 'snapshot' | 'card' | 'waits' | 'lease' | 'key'
>;

function store(world: World, append: Kept, known: MemoryTask | undefined): void {
  const there = known ?? world.tasks.get(append.task);
  world.position += 1;
  const { task, seq, digest, body } = append;
  const entry: FeedEntry = { task, seq, digest, body, position: world.position };
  const found = there ?? {
    entries: [],
    keys: new Map<string, number>(),
    opened: world.position,
    snapshot: '',
    card: append.card,
    waits: [],
    lease: null,
  };
  found.entries.push(entry);
  found.snapshot = append.snapshot;
  found.card = append.card;
  found.waits = append.waits ?? [];
  found.lease = changedLease(found.lease, append.lease);
  if (append.key !== undefined) found.keys.set(append.key, seq);
  world.tasks.set(task, found);
  world.feed.push(entry);
}

function headOf(task: TaskId, found: MemoryTask | undefined): Head | undefined {
  const last = found?.entries.at(-1);
  if (found === undefined || last === undefined) return undefined;
  return { task, seq: last.seq, digest: last.digest, snapshot: found.snapshot, lease: found.lease };
}

function plain({ task, seq, digest, body }: FeedEntry): StoredEntry {
  return { task, seq, digest, body };
}
