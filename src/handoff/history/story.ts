/** What the packets of a task hold of sessions, read as one story (`core/transcript/story.ts`). */
import type { Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet, SessionFact } from '../../core/packet/packet.ts';
import { touchedAt } from '../../core/task/standing.ts';
import { readRecordsByShape } from '../../core/formats/shapes/detect.ts';
import { recordsOf, storyOf, type Reader, type Story, type StoryPart } from '../../core/transcript/story.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { ownHistory } from './history.ts';

/** Whose a transcript is of which nobody said so. */
const unknownRuntime = 'unknown';

/** A transcript that came without its program is read by its shape. */
export function readersOf(runtimes: readonly Runtime[]): (runtime: string) => Reader | undefined {
  return (name) => {
    if (name === unknownRuntime) return readRecordsByShape;
    const runtime = runtimes.find((one) => one.name === name);
    return runtime === undefined ? undefined : (records) => runtime.read(records);
  };
}

/** Reading a story holds all of it in memory; the history of a task is read piece by piece with `history`. */
export async function readStory(
  context: Context,
  task: TaskId,
  readerOf: (runtime: string) => Reader | undefined,
): Promise<Story> {
  return storyOf(await storyParts(context, task), readerOf);
}

export async function storyParts(context: Context, task: TaskId): Promise<StoryPart[]> {
  const parts: StoryPart[] = [];
  const given = new Map<Digest, string>();
  const vouched = new Vouched(context);
  let packet: Packet | undefined;
  let isOurs = true;
  let pieces: Uint8Array[] = [];
  let records = 0;
  const finish = (): void => {
    if (packet === undefined) return;
    for (const part of partsIn(packet, pieces, { records, given, isOurs })) {
      dropRepeated(parts, part);
      parts.push(part);
      records = part.before + recordsOf(part);
    }
    pieces = [];
  };
  for await (const item of ownHistory(context, task)) {
    if (item.kind === 'transcript') pieces.push(item.bytes);
    if (item.kind === 'entry') vouched.take(item.entry);
    if (item.kind !== 'packet') continue;
    finish();
    isOurs = await vouched.for(item.digest);
    ({ packet } = item);
    given.set(item.digest, nameOf(packet));
  }
  finish();
  return parts;
}

/**
 * Whether a packet was sealed in this store. All of a journal was, unless its lease says that it came from elsewhere or that somebody
 * relies on it; then it is who signed the packet that tells. Import has checked that the signatures fit.
 */
class Vouched {
  readonly #context: Context;
  readonly #copies = new Map<TaskId, boolean>();
  #entry: Entry | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  take(entry: Entry): void {
    this.#entry = entry;
  }

  async for(packet: Digest): Promise<boolean> {
    const { task, by, events = [] } = this.#entry ?? {};
    if (task === undefined || by === undefined) return false;
    if (!(await this.#mayBeCopy(task))) return true;
    const at = events.findIndex((event) => event.type === 'checkpoint-sealed' && event.packet === packet);
    const signed = events[at + 1];
    return signed?.type === 'signed' && (await this.#context.signer?.knows(by, signed.key)) === true;
  }

  async #mayBeCopy(task: TaskId): Promise<boolean> {
    const known = this.#copies.get(task);
    if (known !== undefined) return known;
    const head = await this.#context.store.journal.head(task);
    const mayBe = touchedAt(head?.lease ?? null) !== null;
    this.#copies.set(task, mayBe);
    return mayBe;
  }
}

/** Of a conversation that came again with all that it had, the latest copy is enough. */
function dropRepeated(parts: StoryPart[], { document }: StoryPart): void {
  const { session, kept } = document?.goesOn ?? {};
  const at = session === undefined ? -1 : parts.findIndex((part) => part.session === session);
  const earlier = parts[at];
  if (earlier?.document !== undefined && earlier.document.records === kept)
    parts[at] = { ...earlier, records: [] };
}

interface Chain {
  /** Before the packet. */
  readonly records: number;
  /** What the conversations of packets are called. */
  readonly given: ReadonlyMap<Digest, string>;
  /** The packet was sealed in this store. */
  readonly isOurs: boolean;
}

/** What nobody bound to a session is nobody's; its shape may say whose it is. */
function partsIn(packet: Packet, pieces: readonly Uint8Array[], chain: Chain): StoryPart[] {
  const { session, subagents = [] } = packet.facts ?? {};
  if (session === undefined)
    return pieces.length === 0 ? [] : [loosePart(packet, Buffer.concat(pieces), chain)];
  let from = pieces.length - subagents.reduce((sum, { chunks }) => sum + chunks, 0);
  const given = chain.isOurs
    ? {}
    : { given: `a session that another store captured for ${packet.from.name}` };
  const parts = [{ ...partOf(session, pieces.slice(0, from)), ...given }];
  for (const one of subagents) {
    if (one.chunks > 0 || one.fromStart === true)
      parts.push({ ...partOf(one, pieces.slice(from, from + one.chunks)), startedBy: session.id, ...given });
    from += one.chunks;
  }
  return parts;
}

function partOf(known: SessionFact, pieces: readonly Uint8Array[]): StoryPart {
  return {
    runtime: known.runtime,
    session: known.id,
    before: known.before,
    fromStart: known.fromStart === true,
    records: linesOf(Buffer.concat(pieces)),
    omissions: known.omissions ?? [],
  };
}

function loosePart(packet: Packet, bytes: Uint8Array, { records, given }: Chain): StoryPart {
  const { conversation } = packet.facts ?? {};
  const part = {
    runtime: unknownRuntime,
    session: nameOf(packet),
    before: conversation?.before ?? records,
    fromStart: false,
    records: [bytes],
    omissions: [],
    given: `a transcript that ${packet.from.name} handed in`,
  };
  if (conversation === undefined) return part;
  const { goesOn } = conversation;
  const session = goesOn === undefined ? undefined : given.get(goesOn.from);
  return {
    ...part,
    document: {
      records: conversation.records,
      ...(goesOn === undefined ? {} : { goesOn: { session: session ?? '', kept: goesOn.kept } }),
    },
  };
}

function nameOf({ task, head }: Packet): string {
  return `${task}/${head.seq}`;
}

function linesOf(bytes: Buffer): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(10, from);
    const to = end === -1 ? bytes.length : end;
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
}
