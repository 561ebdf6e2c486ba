/**
 * A checkpointer for LangGraph.js that writes into tasks. A thread is a task, and a run that writes holds it: another process, or another
 * run, is told who does. The run is over when nothing is left to do in the graph, and then the thread is free again.
 */
import { defined } from '../../core/base/defined.ts';
import {
  BaseCheckpointSaver,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { StaffettaError } from '../../core/base/error.ts';
import { checkShape } from '../../core/base/shape.ts';
import type { Staffetta } from '../../library/staffetta.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { pageSize } from '../../handoff/record/load.ts';
import { checkProven } from '../proven.ts';
import { Thread, threadKey } from '../thread.ts';
import { agentAfter, isNothingLeft, isPause } from './agents.ts';
import { openRecord, sealRecord, type PutHeader, type WritesHeader } from './checkpoint-record.ts';
import { Checkpoints, type StoredCheckpoint } from './checkpoints.ts';
import { Gathered, type GraphRecord } from './gathered.ts';
import { checkCheckpoint, missing, checkpointPlace, type Place } from './given.ts';
import { bytesOf, patchBetween, wholeBytes } from './patched-bytes.ts';

export interface SaverOptions {
  /** Nodes that are agents, each a leg. A swarm says by itself which agent is active. */
  readonly agents?: readonly string[];
  /** How long a run may be silent before another may take its thread over. */
  readonly leaseMs?: number;
  readonly serde?: SerializerProtocol;
}

const program = 'langgraph';
/** Threads whose checkpoints are kept in memory. */
const threadsMax = 64;

interface Known {
  readonly thread: Thread;
  readonly checkpoints: Checkpoints;
  /** The values that this saver wrote last, by channel: the next ones are mostly longer. */
  readonly written: Map<string, { readonly of: string; readonly bytes: Uint8Array }>;
  /** The checkpoint that the run under way goes on from. */
  running: string | undefined;
  /** The one at which it waits for a person, or failed. */
  paused: string | undefined;
  readonly gathered: Gathered;
}

export class StaffettaSaver extends BaseCheckpointSaver {
  readonly #relay: Staffetta;
  readonly #agents: ReadonlySet<string>;
  readonly #leaseMs: number | undefined;
  readonly #known = new Map<string, Known>();

  constructor(relay: Staffetta, options: SaverOptions = {}) {
    checkProven('@langchain/langgraph-checkpoint', { major: 1, from: 1 });
    checkShape('StaffettaSaver', options, { agents: 'list', leaseMs: 'number', serde: 'any' });
    super(options.serde);
    this.#relay = relay;
    this.#agents = new Set(options.agents);
    this.#leaseMs = options.leaseMs;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: id } = config.configurable ?? {};
    if (id === undefined) return undefined;
    const { ns, checkpoint } = checkpointPlace(config);
    const known = await this.#read(checkpointPlace(config).id, ns === '');
    const { checkpoints } = known;
    const found = checkpoint === undefined ? checkpoints.latest(ns) : checkpoints.find(ns, checkpoint);
    return found === undefined ? undefined : await this.#tuple(known, found);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id: id, checkpoint_ns: ns, checkpoint_id: wanted } = config.configurable ?? {};
    const earlier: unknown = before?.configurable?.['checkpoint_id'];
    let left = limit ?? Number.POSITIVE_INFINITY;
    const threads = id === undefined ? await this.#threads() : [checkpointPlace(config).id];
    for (const thread of threads) {
      const known = await this.#read(thread, false);
      for (const stored of known.checkpoints.all()) {
        if (left <= 0) return;
        if (ns !== undefined && stored.ns !== ns) continue;
        if (typeof wanted === 'string' && wanted !== '' && stored.id !== wanted) continue;
        if (typeof earlier === 'string' && stored.id >= earlier) continue;
        const tuple = await this.#tuple(known, stored);
        const { metadata = {} } = tuple;
        const wants = Object.entries(filter ?? {});
        if (!wants.every(([key, value]) => Reflect.get(metadata, key) === value)) continue;
        left -= 1;
        yield tuple;
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = checkpointPlace(config);
    checkCheckpoint(checkpoint);
    const known = this.#knownAs(place.id);
    const changed = Object.keys(checkpoint.channel_values).filter((name) => Object.hasOwn(newVersions, name));
    const { channel_values: _, ...bare } = checkpoint;
    // Written down now, as it is now, and kept when its turn comes.
    const dumping = Promise.all([
      this.#dump('the checkpoint', bare),
      this.#dump('the metadata', metadata),
      ...changed.map(
        async (name) => await this.#dump(`channel ${JSON.stringify(name)}`, checkpoint.channel_values[name]),
      ),
    ]);
    const names = Object.keys(checkpoint.channel_values);
    await known.thread.inTurn(async () => {
      const [core, about, ...dumped] = await dumping;
      await known.thread.hold();
      refuseSecondRun(known, place, metadata);
      const values = dumped.map((value, i) => ({ name: changed[i] ?? '', ...value }));
      await this.#keepPut(known, { place, id: checkpoint.id, core, about, values, names });
      if (place.ns !== '') return;
      known.running = isNothingLeft(checkpoint) ? undefined : checkpoint.id;
      const next = agentAfter(checkpoint, this.#agents);
      if (known.running === undefined) await known.thread.release();
      else if (next !== undefined) await known.thread.handTo(next);
      await this.#freeIfPaused(known, place.ns, checkpoint.id);
    });
    return { configurable: { thread_id: place.id, checkpoint_ns: place.ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const place = checkpointPlace(config);
    const { checkpoint: id } = place;
    if (id === undefined) throw missing('checkpoint_id');
    const known = this.#knownAs(place.id);
    const dumping = Promise.all(
      writes.map(async ([channel, value], i) => ({
        channel,
        idx: WRITES_IDX_MAP[channel] ?? i,
        ...(await this.#dump(`a write to ${JSON.stringify(channel)}`, value)),
      })),
    );
    const record = dumping.then((dumped) => {
      const kept = dumped.map(({ channel, idx, type, bytes }) => ({
        channel,
        idx,
        type,
        bytes: bytes.length,
      }));
      const header: WritesHeader = { v: 1, kind: 'writes', ns: place.ns, id, task: taskId, writes: kept };
      return { header, parts: dumped.map(({ bytes }) => bytes) };
    });
    const one = known.gathered.add(record);
    await new Promise((turn) => setImmediate(turn));
    await known.thread.inTurn(async () => {
      if (known.gathered.has(one)) await this.#keep(known);
      // A graph within the graph that stops tells the one around it; that may only be how it names who is next.
      if (place.ns === '' && isPause(writes)) known.paused = id;
      await this.#freeIfPaused(known, place.ns, id);
    });
    await one.kept.promise;
  }

  override async deleteThread(threadId: string): Promise<void> {
    const { thread } = this.#knownAs(threadId);
    await thread.inTurn(async () => await thread.remove());
    this.#known.delete(threadId);
  }

  /** Lets others write to a thread whose run was given up: one that was aborted, or stopped before a node. */
  async release(threadId: string): Promise<void> {
    const known = this.#knownAs(threadId);
    await known.thread.inTurn(async () => {
      known.running = undefined;
      known.thread.forgive();
      await known.thread.release();
    });
  }

  /** LangGraph may say that a run pauses at a checkpoint before it gives the checkpoint, and other nodes may end after that. */
  async #freeIfPaused(known: Known, ns: string, id: string): Promise<void> {
    if (known.paused !== id || known.checkpoints.find(ns, id) === undefined) return;
    known.running = undefined;
    await known.thread.release();
  }

  #knownAs(id: string): Known {
    const known = this.#known.get(id) ?? {
      thread: new Thread(this.#relay, id, { program, called: 'LangGraph thread', leaseMs: this.#leaseMs }),
      checkpoints: new Checkpoints(),
      written: new Map(),
      running: undefined,
      paused: undefined,
      gathered: new Gathered(),
    };
    // The one that was used last is forgotten last; one that is held is not.
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const [name, { thread }] of this.#known) {
      if (this.#known.size <= threadsMax) break;
      if (thread.holder === undefined && name !== id) this.#known.delete(name);
    }
    return known;
  }

  async #read(id: string, isStart: boolean): Promise<Known> {
    const known = this.#knownAs(id);
    return await known.thread.inTurn(async () => {
      for (const { bytes } of await known.thread.read()) known.checkpoints.add(openRecord(bytes));
      if (isStart) {
        known.thread.forgive();
        known.paused = undefined;
      }
      return known;
    });
  }

  async #keep(known: Known, record?: GraphRecord): Promise<void> {
    await known.gathered.keepWith(record, async (records) => {
      await known.thread.keep(records.map(sealRecord));
      for (const one of records) known.checkpoints.add(one);
    });
  }

  async #keepPut(known: Known, put: Putting): Promise<void> {
    const { place, id, core, about, values, names } = put;
    const before =
      place.checkpoint === undefined ? undefined : known.checkpoints.find(place.ns, place.checkpoint);
    const parts = values.map(({ name, type, bytes }) => {
      const base = before?.channels.get(name);
      if (base?.type !== type) return { name, type, patch: wholeBytes(bytes) };
      const last = known.written.get(`${place.ns}\0${name}`);
      const old = last?.of === before?.id && last !== undefined ? last.bytes : bytesOf(base.value);
      return { name, type, patch: patchBetween(base.value, old, bytes) };
    });
    const header: PutHeader = {
      v: 1,
      kind: 'put',
      thread: place.id,
      ns: place.ns,
      id,
      ...defined({ parent: place.checkpoint }),
      checkpoint: { type: core.type, bytes: core.bytes.length },
      metadata: { type: about.type, bytes: about.bytes.length },
      channels: parts.map(({ name, type, patch: { base, head, tail, middle } }) => ({
        name,
        type,
        bytes: middle.length,
        ...(base === undefined ? {} : { head, tail }),
      })),
      values: names,
    };
    await this.#keep(known, {
      header,
      parts: [core.bytes, about.bytes, ...parts.map(({ patch }) => patch.middle)],
    });
    for (const { name, bytes } of values) known.written.set(`${place.ns}\0${name}`, { of: id, bytes });
  }

  async #tuple(known: Known, stored: StoredCheckpoint): Promise<CheckpointTuple> {
    const { ns, id, parent } = stored;
    const at = (checkpoint: string): RunnableConfig => ({
      configurable: { thread_id: known.thread.id, checkpoint_ns: ns, checkpoint_id: checkpoint },
    });
    const bare = (await this.#load(stored.checkpoint)) as Omit<Checkpoint, 'channel_values'>;
    const values = await Promise.all(
      stored.values.map(async (name) => {
        const part = stored.channels.get(name);
        if (part === undefined) return [];
        return [[name, await this.#load({ type: part.type, bytes: bytesOf(part.value) })] as const];
      }),
    );
    const checkpoint: Checkpoint = { ...bare, channel_values: Object.fromEntries(values.flat()) };
    if (checkpoint.v < 4 && parent !== undefined) await this.#addSends(known, checkpoint, { ns, parent });
    const pendingWrites = await Promise.all(
      known.checkpoints
        .writesOf(ns, id)
        .map(async (write): Promise<CheckpointPendingWrite> => [
          write.task,
          write.channel,
          await this.#load(write),
        ]),
    );
    return {
      config: at(id),
      checkpoint,
      metadata: (await this.#load(stored.metadata)) as CheckpointMetadata,
      pendingWrites,
      ...(parent === undefined ? {} : { parentConfig: at(parent) }),
    };
  }

  /** Until version 4 of a checkpoint, what was sent to nodes stood with its parent. */
  async #addSends(
    { checkpoints }: Known,
    checkpoint: Checkpoint,
    { ns, parent }: { readonly ns: string; readonly parent: string },
  ): Promise<void> {
    const sends = checkpoints.writesOf(ns, parent).filter(({ channel }) => channel === TASKS);
    checkpoint.channel_values[TASKS] = await Promise.all(sends.map(async (send) => await this.#load(send)));
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #dump(what: string, value: unknown): Promise<{ type: string; bytes: Uint8Array }> {
    try {
      const [type, bytes] = await this.serde.dumpsTyped(value);
      return { type, bytes };
    } catch (error) {
      throw new StaffettaError('invalid-input', `${what} cannot be written down by the serializer.`, {
        hint: 'Keep in the state what JSON can hold, or give the saver a serializer of your own: new StaffettaSaver(relay, { serde }).',
        cause: error,
      });
    }
  }

  async #load({ type, bytes }: { readonly type: string; readonly bytes: Uint8Array }): Promise<unknown> {
    return (await this.serde.loadsTyped(type, bytes)) as unknown;
  }

  /** Every thread of the store: a task that was opened for one. */
  async #threads(): Promise<string[]> {
    const { catalog, journal } = this.#relay.store;
    const prefix = threadKey(program, '');
    const threads: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await catalog.list({ limit: pageSize, ...defined({ cursor }) });
      for (const { task } of page.cards) {
        const [first] = await journal.read(task, 0, 1);
        const key = first === undefined ? undefined : openEntry(first).key;
        if (key?.startsWith(prefix) === true) threads.push(key.slice(prefix.length));
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return threads;
  }
}

interface Dumped {
  readonly type: string;
  readonly bytes: Uint8Array;
}

interface Putting {
  readonly place: Place;
  readonly id: string;
  readonly core: Dumped;
  readonly about: Dumped;
  readonly values: readonly (Dumped & { readonly name: string })[];
  readonly names: string[];
}

/** A run goes on from its own last checkpoint; another one that goes on from elsewhere would part the thread in two. */
function refuseSecondRun(
  { running, thread }: Known,
  { ns, checkpoint }: Place,
  metadata: CheckpointMetadata,
): void {
  const isRun = metadata.source === 'loop' || metadata.source === 'input';
  if (ns !== '' || running === undefined || checkpoint === running || !isRun) return;
  throw new StaffettaError(
    'held',
    `A run of this program is on LangGraph thread ${JSON.stringify(thread.id)}.`,
    {
      details: { thread: thread.id, task: thread.task, holder: thread.holder ?? null },
      hint: 'Wait until it is over. If it was given up, say so: await saver.release(threadId)',
    },
  );
}
