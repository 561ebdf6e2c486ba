import type { TaskId } from '../core/journal/id.ts';

export const places = [
  'title',
  'goal',
  'contract',
  'note',
  'decision',
  'message',
  'packet',
  'finding',
  'reason',
  'history',
] as const;
export type WordPlace = (typeof places)[number];

/** A text that can be found, and where it stands. */
export interface IndexedWords {
  readonly task: TaskId;
  readonly where: WordPlace;
  /** The field of a contract or a packet: `acceptance`, `claims.done`. */
  readonly field: string | null;
  /** What `staffetta show TASK` takes: j12, d3, s42. */
  readonly ref: string | null;
  readonly seq: number | null;
  readonly at: number | null;
  readonly by: string | null;
  readonly text: string;
}

export interface WordMark {
  readonly from: number;
  readonly to: number;
}

export interface FoundWords extends IndexedWords {
  /** Orders what is found; `before` takes it. */
  readonly place: number;
  /** Here only the words around what was found. */
  readonly text: string;
  /** Where in `text` the words asked for stand: from, and up to but not including, in UTF-16 code units. */
  readonly marks: readonly WordMark[];
}

/** How far the feed of all entries was taken in: a position, and what the entry there is, by digest. */
export interface FeedReached {
  readonly position: number;
  readonly digest: string | null;
}

export interface Batch {
  /** Stored only if nobody else went further meanwhile. */
  readonly from: FeedReached;
  readonly to: FeedReached;
  readonly words: readonly IndexedWords[];
  /** Tasks whose history is among the words, whole: what was kept of it before goes. */
  readonly retold: readonly TaskId[];
}

/**
 * Finds texts by their words. It is a cache that can be thrown away: everything in it is made from the journals, and a
 * search first adds what is new in them. Many processes may share one.
 */
export interface WordIndex {
  reached(): FeedReached;
  /** All of a batch, or nothing and false. */
  add(batch: Batch): boolean;
  /** Texts that have all the words, each as the beginning of one, the latest taken in first. */
  find(
    words: string,
    options: { readonly before: number | null; readonly limit: number },
  ): readonly FoundWords[];
  /** Of a task that is gone. */
  forget(task: TaskId): void;
  /** Everything, to begin again. */
  clear(): void;
  close(): void;
}
