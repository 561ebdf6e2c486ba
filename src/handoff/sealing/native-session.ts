/**
 * A session of a coding agent on its way into a packet: only what is new since the packet that had it last. Its records stay as
 * the program wrote them, one a line.
 */
import { defined, filled } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { limits } from '../../core/base/limits.ts';
import { recordsUpTo, type SessionFact } from '../../core/packet/packet.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import type { Captured, Cursor, Runtime, SessionPlace } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from '../history/history.ts';

/** Where a session is read, bound to its adapter: see `bindSession`. */
export interface SessionInput {
  readonly runtime: string;
  readonly id: string;
  /** Where the program keeps it. */
  readonly path?: string;
  /** Where it worked; absent where nobody knows. */
  readonly folder?: string;
  capture(from?: Cursor): Promise<SeenCapture>;
  /** The sessions of agents that it started. */
  subagents?(): Promise<readonly SubagentInput[]>;
}

export interface SeenCapture extends Captured {
  /** The redactor that has searched all of the records before, and found nothing. */
  readonly cleanBy?: Redactor;
}

export interface SubagentInput extends SessionInput {
  readonly bytes: number | null;
}

export function bindSession(
  runtime: Pick<Runtime, 'name' | 'capture' | 'startedBy'>,
  place: SessionPlace,
  folder: string | null = null,
): SessionInput {
  return {
    ...bindAlone(runtime, place),
    ...filled({ folder }),
    subagents: async () =>
      ((await runtime.startedBy?.(place)) ?? []).map((one) => ({
        ...bindAlone(runtime, one),
        bytes: one.bytes,
      })),
  };
}

function bindAlone(runtime: Pick<Runtime, 'name' | 'capture'>, place: SessionPlace): SessionInput {
  return {
    runtime: runtime.name,
    id: place.id,
    path: place.path,
    capture: async (from) => await runtime.capture(place, from),
  };
}

export interface SealedBefore {
  /** Records in the chain so far. */
  readonly records: number;
  /** How far this session was captured, if it was. */
  readonly cursor: Cursor | undefined;
  /** Where it was then. */
  readonly path?: string | undefined;
  /** How far the sessions of agents were captured that it started, by their ids. */
  readonly subagents?: ReadonlyMap<string, Cursor>;
}

/**
 * What the chain that ends in a packet has already. A session that is new to the chain is looked for up to its root.
 */
export async function capturedBefore(
  context: Context,
  parent: Digest | null,
  session: Pick<SessionInput, 'runtime' | 'id'>,
): Promise<SealedBefore> {
  const records = await recordsBefore(context, parent);
  for (let at = parent; at !== null;) {
    const { parent: earlier, facts } = await readPacket(context, at);
    const { session: main, subagents = [] } = facts ?? {};
    const known = [main, ...subagents].find(
      (one) => one?.runtime === session.runtime && one.id === session.id,
    );
    if (known !== undefined)
      return {
        records,
        cursor: known.cursor,
        path: known.path,
        subagents: known === main ? new Map(subagents.map(({ id, cursor }) => [id, cursor])) : new Map(),
      };
    at = earlier;
  }
  return { records, cursor: undefined };
}

/** How many records the chain that ends in a packet has. A transcript of which its packet says nothing counts as one. */
export async function recordsBefore(context: Context, parent: Digest | null): Promise<number> {
  let loose = 0;
  for (let at = parent; at !== null;) {
    const packet = await readPacket(context, at);
    const known = recordsUpTo(packet);
    if (known !== undefined) return known + loose;
    loose += packet.transcript.length > 0 ? 1 : 0;
    at = packet.parent;
  }
  return loose;
}

export interface NativeRecords {
  /** With their line ends. */
  readonly lines: AsyncIterable<Uint8Array>;
  readonly cleanBy?: Redactor;
  /** Known once the lines were read to their end. */
  fact(): SessionFact;
}

export async function nativeRecords(
  session: SessionInput,
  before: Pick<SealedBefore, 'records' | 'cursor'>,
): Promise<NativeRecords> {
  const captured = await session.capture(before.cursor);
  let count = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const record of captured.records) {
      count += 1;
      yield record;
    }
  }
  return {
    lines: batched(counted()),
    ...defined({ cleanBy: captured.cleanBy }),
    fact() {
      const { cursor, fromStart, omissions } = captured.end();
      const { runtime, id, path } = session;
      return {
        runtime,
        id,
        ...defined({ path }),
        cursor,
        before: before.records,
        records: count,
        ...(fromStart && before.cursor !== undefined ? { fromStart: true as const } : {}),
        ...(omissions.length === 0 ? {} : { omissions: omissions.slice(0, limits.listItemsMax) }),
      };
    },
  };
}

const lineEnd = Buffer.from('\n');
const batchBytes = 256 * 1024;

/** Records with their line ends. They are small and many; handing on each would cost more than searching it. */
export async function* batched(
  records: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const record of records) {
    waiting.push(record, lineEnd);
    bytes += record.length + 1;
    if (bytes < batchBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
