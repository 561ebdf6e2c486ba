/**
 * The sessions of agents that a session started, on their way into the packet of that session. Their records come after its own, each
 * session in chunks of its own. One that cannot be captured does not hold up the others: the packet says which, and where it is.
 */
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { Chunk, PacketWords, SessionFact, SubagentFact } from '../../core/packet/packet.ts';
import { cut, titleFrom } from '../../core/base/text.ts';
import type { Cursor } from '../../ports/runtime.ts';
import { nativeRecords, type SessionInput, type SubagentInput } from './native-session.ts';
import type { Reasoning } from './seen-elsewhere.ts';

/** Every packet names all of them. */
const subagentsMax = 100;
/** Of their cursors together, which are part of the packet. */
const cursorBytesMax = limits.packetBytesMax / 4;

interface Among {
  /** Of the session that started them. */
  readonly fact: SessionFact;
  /** How far each was captured, by its id. */
  readonly known?: ReadonlyMap<string, Cursor> | undefined;
  readonly keep: (lines: AsyncIterable<Uint8Array>) => Promise<Chunk[]>;
}

export interface KeptSubagents {
  readonly chunks: readonly Chunk[];
  readonly subagents: readonly SubagentFact[];
  readonly losses: NonNullable<PacketWords['losses']>;
}

export async function keepSubagents(
  session: SessionInput,
  { fact, known, keep }: Among,
): Promise<KeptSubagents> {
  const chunks: Chunk[] = [];
  const subagents: SubagentFact[] = [];
  const losses: { readonly what: string; readonly why: string }[] = [];
  const all = (await session.subagents?.()) ?? [];
  let before = fact.before + fact.records;
  let cursorBytes = 0;
  for (const one of all.slice(0, subagentsMax)) {
    const cursor = known?.get(one.id);
    const taken = await captureOne(one, { records: before, cursor }, keep);
    if (typeof taken === 'string') {
      losses.push(lossOf(one, taken));
      // What earlier packets have of it stays known.
      if (cursor !== undefined) subagents.push({ ...nothingNew(one, before), cursor });
      continue;
    }
    cursorBytes += taken.fact.cursor.length;
    if (cursorBytes > cursorBytesMax) {
      losses.push(lossOf(one, 'there are too many of them for one packet'));
      continue;
    }
    chunks.push(...taken.chunks);
    subagents.push({ ...taken.fact, chunks: taken.chunks.length });
    before += taken.fact.records;
  }
  if (all.length > subagentsMax) losses.push(restOf(all.slice(subagentsMax)));
  return { chunks, subagents, losses };
}

function nothingNew({ runtime, id, path }: SubagentInput, before: number): Omit<SubagentFact, 'cursor'> {
  return { runtime, id, ...defined({ path }), before, records: 0, chunks: 0 };
}

/** Why not, in words, where it cannot be had. */
async function captureOne(
  one: SubagentInput,
  before: { readonly records: number; readonly cursor: Cursor | undefined },
  keep: Among['keep'],
): Promise<{ readonly fact: SessionFact; readonly chunks: readonly Chunk[] } | string> {
  try {
    const native = await nativeRecords(one, before);
    const chunks = await keep(native.lines);
    return { fact: native.fact(), chunks };
  } catch (error) {
    if (isStaffettaError(error)) return error.message;
    if (error instanceof Error && 'code' in error) return `it cannot be read (${String(error.code)})`;
    throw error;
  }
}

function lossOf({ runtime, id, path, bytes }: SubagentInput, why: string): KeptSubagents['losses'][number] {
  const size = bytes === null ? '' : `, ${bytes} bytes`;
  const where = path === undefined ? '' : ` It is in ${path}${size}.`;
  return {
    what: titleFrom(`the session of subagent ${id}`),
    why: cut(
      `It was not captured: ${why.replace(/\.$/, '')}.${where} Try: staffetta handoff --from ${runtime}:${id}`,
      whyCharsMax,
    ),
  };
}

function restOf(rest: readonly SubagentInput[]): KeptSubagents['losses'][number] {
  const ids = rest.map(({ id }) => id).join(', ');
  return {
    what: `the sessions of ${rest.length} subagents`,
    why: cut(
      `They were not captured: a packet takes ${subagentsMax} of them. See: staffetta sessions. They are ${ids}`,
      whyCharsMax,
    ),
  };
}

const whyCharsMax = 2000;

/** Once more, as they were kept: each stays in chunks of its own. */
export async function subagentsAgain(
  { chunks, subagents = [] }: Reasoning,
  keep: (of: readonly Chunk[]) => Promise<Chunk[]>,
): Promise<Pick<KeptSubagents, 'chunks' | 'subagents'>> {
  let from = chunks.length - subagents.reduce((sum, one) => sum + one.chunks, 0);
  const kept: Chunk[] = [];
  const facts: SubagentFact[] = [];
  for (const one of subagents) {
    const again = await keep(chunks.slice(from, from + one.chunks));
    kept.push(...again);
    facts.push({ ...one, chunks: again.length });
    from += one.chunks;
  }
  return { chunks: kept, subagents: facts };
}
