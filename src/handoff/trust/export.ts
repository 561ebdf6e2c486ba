import { firstChain, headerLine, nextChain, type ArchiveHeader } from '../../core/archive/archive.ts';
import {
  sealBytes,
  sealLine,
  sealStatement,
  type ArchiveEnd,
  type SealedBy,
} from '../../core/archive/archive-seal.ts';
import type { Actor } from '../../core/task/actor.ts';
import { assert } from '../../core/base/assert.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { eventBlobs } from '../../core/journal/event-blobs.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { packetBlobs, type Packet } from '../../core/packet/packet.ts';
import { openPacket } from '../../core/journal/sealed-content.ts';
import { manifestBlobs, parseManifest } from '../../core/tree/workspace.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';
import { lineage, type Stretch } from '../history/lineage.ts';
import { soundPages } from '../record/load.ts';

export interface Exported extends Omit<ArchiveHeader, 'format' | 'v'> {
  /** The file, a piece at a time. It can be read once. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Who vouches for the file; known once the pieces were read. */
  readonly sealed: () => SealedBy | null;
}

/**
 * A task with its whole history, as one stream. It moves nothing: the task stays where it is and goes on. The journals are read
 * up to the heads they have now, so that what is written meanwhile does not matter. Memory holds one page of entries, one blob,
 * and the digests of the blobs. Where `by` is given and has a key in this store, the end is signed with it.
 */
export async function exportTask(context: Context, task: TaskId, by?: Actor): Promise<Exported> {
  const stretches = await lineage(context, task);
  if (stretches.length > limits.lineageTasksMax) {
    throw new StaffettaError(
      'too-large',
      `Task ${task} goes back through ${stretches.length} forks; an export carries ${limits.lineageTasksMax}.`,
    );
  }
  const blobs = new Set<Digest>();
  for (const stretch of stretches) await countBlobs(context, stretch, blobs);
  const journals = stretches.map(({ task: of, seq, head }) => ({ task: of, seq, digest: head }));
  const own = stretches.at(-1);
  assert(own !== undefined, 'a task has a journal');
  const header = {
    task,
    head: { seq: own.seq, digest: own.head },
    journals,
    entries: stretches.reduce((sum, { seq }) => sum + seq + 1, 0),
    blobs: blobs.size,
  } satisfies Omit<ArchiveHeader, 'format' | 'v'>;
  const { signer } = context;
  if (signer === undefined || by === undefined)
    return {
      ...header,
      pieces: written(context, stretches, { header: headerLine(header, 1) }),
      sealed: () => null,
    };
  let sealed: SealedBy | null = null;
  const seal = async (ended: Omit<ArchiveEnd, 'header'>): Promise<string | undefined> => {
    const statement = sealStatement({ header, ...ended }, by);
    const made = await signer.sign(by, sealBytes(statement));
    if (made === undefined) return undefined;
    sealed = { by: { kind: by.kind, name: by.name }, key: digestOf(made.publicKey) };
    return sealLine(statement, made);
  };
  return {
    ...header,
    pieces: written(context, stretches, { header: headerLine(header, 2), seal }),
    sealed: () => sealed,
  };
}

async function countBlobs(context: Context, stretch: Stretch, blobs: Set<Digest>): Promise<void> {
  for await (const page of soundPages(context, stretch))
    for (const { entry } of page)
      for await (const [digest] of newBlobs(context, entry, blobs)) blobs.add(digest);
}

/** A blob, and its bytes where they had to be read to know what comes next. */
type Named = readonly [Digest, Uint8Array | undefined];

/** The blobs of an entry that did not come yet, in the order in which they are named; a packet before what it names. */
async function* newBlobs(context: Context, entry: Entry, known: ReadonlySet<Digest>): AsyncGenerator<Named> {
  for (const event of entry.events) {
    for (const digest of eventBlobs(event)) {
      if (known.has(digest)) continue;
      if (event.type !== 'checkpoint-sealed' || digest !== event.packet) {
        yield [digest, undefined];
        continue;
      }
      const bytes = await readBlob(context, digest);
      yield [digest, bytes];
      yield* packetsBlobs(context, openPacket(bytes), known);
    }
  }
}

async function* packetsBlobs(
  context: Context,
  packet: Packet,
  known: ReadonlySet<Digest>,
): AsyncGenerator<Named> {
  for (const digest of packetBlobs(packet)) {
    if (known.has(digest)) continue;
    if (digest !== packet.facts?.manifest) {
      yield [digest, undefined];
      continue;
    }
    const bytes = await readBlob(context, digest);
    yield [digest, bytes];
    for (const content of manifestBlobs(parseManifest(bytes)))
      if (!known.has(content)) yield [content, undefined];
  }
}

const lineFeed = Buffer.from('\n');

/** The first line, and what makes the last one of where the chain came to. */
interface Frame {
  readonly header: string;
  readonly seal?: (ended: Omit<ArchiveEnd, 'header'>) => Promise<string | undefined>;
}

async function* written(
  context: Context,
  stretches: readonly Stretch[],
  { header, seal }: Frame,
): AsyncGenerator<Uint8Array> {
  let chain = firstChain(header);
  let records = 0;
  const record = (line: object, payload: Uint8Array): Uint8Array[] => {
    const text = canonical({ ...line, bytes: payload.length });
    chain = nextChain(chain, text);
    records += 1;
    return [Buffer.from(`${text}\n`), payload, lineFeed];
  };
  yield Buffer.from(`${header}\n`);
  const sent = new Set<Digest>();
  for (const stretch of stretches) {
    for await (const page of soundPages(context, stretch)) {
      for (const { entry, digest, body } of page) {
        yield* record({ entry: entry.seq, task: entry.task, digest }, Buffer.from(body));
        for await (const [blob, read] of newBlobs(context, entry, sent)) {
          sent.add(blob);
          yield* record({ blob }, read ?? (await readBlob(context, blob)));
        }
      }
    }
  }
  yield Buffer.from(`${canonical({ end: records, chain })}\n`);
  const line = await seal?.({ records, chain });
  if (line !== undefined) yield Buffer.from(`${line}\n`);
}
