/**
 * The tree of a conversation by uuid and parentUuid, and which part of it the model still sees.
 *
 * The path from the last record to the root is the conversation; everything beside it was left. At a compaction the path goes on by
 * logicalParentUuid: what lies before is not seen any more, but for the messages that the compaction says it preserved.
 * A context that was cleared begins a tree of its own: it opens with the hook of a clear, or with a plan that was approved. What lies
 * before that was not left but is not seen any more. Every other root that came later took the place of an earlier one.
 * Some parents are not among the records, because a capture leaves system prompts out, and these stand in the chain. The
 * place of such a record is guessed: after the newest record that nothing follows yet, for an answer the newest that waits for
 * one. Two programs that write at once can be told apart by this as long as each of them names a known parent now and then.
 */
import { isApprovedPlan } from './program-words.ts';
import { flag, part, text, texts, type Fields } from './schema.ts';

export type SeenRecords = 'seen' | 'compacted' | 'left';

/** So far back a record without a known parent is placed at most. */
const guessBackMax = 64;

export class Tree {
  readonly #places = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #followed: boolean[] = [];
  readonly #waits: boolean[] = [];
  /** Nodes whose parent was guessed; it may yet come. */
  readonly #guessed = new Map<number, string>();
  readonly #compactions = new Map<number, Fields | null>();
  /** Roots that a clear began. */
  readonly #cleared = new Set<number>();

  /** Null where a record with this uuid is there already. */
  add(uuid: string, record: Fields): number | null {
    if (this.#places.has(uuid)) return null;
    const node = this.#parents.length;
    const parent = this.#place(node, record);
    this.#places.set(uuid, node);
    this.#parents.push(parent);
    this.#followed.push(false);
    this.#waits.push(['user', 'attachment'].includes(text(record, 'type') ?? ''));
    if (parent >= 0) this.#followed[parent] = true;
    if (isClear(record)) this.#clear(node);
    return node;
  }

  /** Only what stands near a root opens a conversation. */
  #clear(node: number): void {
    let at = node;
    for (let steps = 0; steps < openingMax && this.parent(at) >= 0; steps += 1) at = this.parent(at);
    if (this.parent(at) < 0) this.#cleared.add(at);
  }

  /** -1 for a root. */
  parent(node: number): number {
    return this.#parents[node] ?? -1;
  }

  #place(node: number, record: Fields): number {
    const isCompaction = text(record, 'subtype') === 'compact_boundary';
    if (isCompaction) this.#compactions.set(node, part(record, 'compactMetadata'));
    const named = text(record, 'parentUuid') ?? (isCompaction ? text(record, 'logicalParentUuid') : null);
    if (named === null) return -1;
    const known = this.#places.get(named);
    if (known !== undefined) return known;
    this.#guessed.set(node, named);
    return this.#guess(node, text(record, 'type') === 'assistant');
  }

  #guess(node: number, isAnswer: boolean): number {
    for (let at = node - 1; at >= 0 && at >= node - guessBackMax; at -= 1) {
      if (this.#followed[at] !== true && (!isAnswer || this.#waits[at] === true)) return at;
    }
    return node - 1;
  }

  /** Of every node; known once all records are in. */
  seen(): (node: number) => SeenRecords {
    for (const [node, named] of this.#guessed)
      this.#parents[node] = this.#places.get(named) ?? this.parent(node);
    const states = new Map<number, SeenRecords>();
    let preserved: ReadonlySet<number> | null = null;
    for (let node = this.#parents.length - 1; node >= 0 && !states.has(node); node = this.parent(node)) {
      states.set(node, preserved === null || preserved.has(node) ? 'seen' : 'compacted');
      const about = this.#compactions.get(node);
      if (about !== undefined) preserved ??= this.#preserved(about);
      if (!this.#cleared.has(node)) continue;
      // What lies before a clear ends with the record before it.
      preserved ??= new Set();
      this.#parents[node] = node - 1;
    }
    return (node) => states.get(node) ?? 'left';
  }

  #preserved(about: Fields | null): Set<number> {
    const messages = part(about, 'preservedMessages');
    const named = [...texts(messages, 'uuids'), ...texts(messages, 'allUuids')];
    const nodes = new Set(named.map((uuid) => this.#places.get(uuid)).filter((node) => node !== undefined));
    return nodes.size > 0 ? nodes : this.#segment(part(about, 'preservedSegment'));
  }

  #segment(about: Fields | null): Set<number> {
    const nodes = new Set<number>();
    const head = this.#places.get(text(about, 'headUuid') ?? '');
    let node = this.#places.get(text(about, 'tailUuid') ?? '') ?? -1;
    if (head === undefined) return nodes;
    while (node >= 0 && !nodes.has(node)) {
      nodes.add(node);
      node = node === head ? -1 : this.parent(node);
    }
    return nodes;
  }
}

/** Records between a root and the plan that it opens with. */
const openingMax = 8;

function isClear(record: Fields): boolean {
  const type = text(record, 'type');
  if (type === 'progress') return text(part(record, 'data'), 'hookName') === 'SessionStart:clear';
  return type === 'user' && isApprovedPlan(record);
}

/** Agents that a session started wrote into its file in older versions; such a record is no part of the conversation. */
export function isOfOtherAgent(record: Fields, sidechain: boolean): boolean {
  return flag(record, 'isSidechain') !== sidechain;
}
