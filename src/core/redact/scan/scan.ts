/**
 * Looks through bytes for secrets. The work is done line by line, so that what is found does not depend on how the bytes were cut
 * into pieces; only the lines of a private key are read together, and what goes over the end of a line (see over-lines.ts).
 *
 *   a line without an anchor or a suspicious run   is not read further
 *   a line of JSON                                 each of its strings is decoded and scanned as a text of its own, and a value is
 *                                                  judged by the name it stands under
 *   any other line                                 is scanned as it is, and again with its escapes and its percent-encoding decoded
 *                                                  and its colours taken out
 *   a run of base64 that holds text                is decoded and scanned; if there is a secret in it, the whole run is one
 *
 * Decoded texts are scanned the same way, up to a depth. Everything works on byte strings (see view.ts).
 */
import type { Hits } from './anchors.ts';
import { disjoint, type FoundSecret } from './found.ts';
import { jsonStrings } from './json-strings.ts';
import {
  blockBytesMax,
  encodedMarkBytesMax,
  markAt,
  markBytesMax,
  openedBlock,
  readBlock,
  type Inside,
  type KeyBlock,
  type BlockMark,
  type Next,
} from '../key-block.ts';
import type { Anchored } from '../rules.ts';
import { acrossEnds, valuesAfter, type ScannedLine, type OverLines } from './over-lines.ts';
import { assignmentRule } from '../rules/assignments.ts';
import { findRuns, marginBytesMax, type TextRun } from './runs.ts';
import { scanJson } from './scan-json.ts';
import { scanText, type ScanHit, type LineMarks } from './scan-line.ts';

/** A record of a transcript holds a tool's answer, that a file, that a string: three. */
const depthMax = 5;
const newline = 0x0a;

/** What came right before the bytes. */
export interface ScannedBefore {
  readonly inside?: Inside | undefined;
  /** The end of the line before. */
  readonly lineBefore?: string;
}

export interface Scanned {
  readonly found: readonly FoundSecret[];
  /**
   * A key, or anything else over several lines, that had not ended when the bytes did: where its first line begins, and whether an
   * earlier part of the key was already done.
   */
  readonly open?: { readonly from: number; readonly inside: Inside | undefined };
}

const nothing: Scanned = { found: [] };

export type Scan = (bytes: Buffer, before?: ScannedBefore) => Scanned;

export function createScan({ find, roles }: Anchored): Scan {
  const scan = (bytes: Buffer, depth: number, before: ScannedBefore): Scanned => {
    const hits = find(bytes, 0, bytes.length);
    const runs = findRuns(bytes, before.lineBefore);
    if (hits.at.length === 0 && runs.length === 0 && before.inside === undefined) return nothing;
    const found = new FoundList();
    const keys = new KeyReader(bytes, marksOfKeys(bytes, hits, roles), found);
    keys.readAll(before.inside);
    const lines = markedLines(bytes, hits, runs);
    const over = new OverLinesReader(bytes, found);
    const scope = { depth, deeper };
    for (let line = lines(); line !== undefined; line = lines()) {
      const text = bytes.toString('latin1', line.start, line.end);
      const marks = marksOf(line, roles, found);
      const strings = jsonStrings(text);
      const inLine =
        strings === undefined ? scanText(text, marks, scope) : scanJson(text, strings, marks, scope);
      for (const one of inLine)
        found.add({ ...one, start: one.start + line.start, end: one.end + line.start });
      const whole = { text, start: line.start, next: line.end + 1 };
      if (marks.hits.some(opensPlace)) over.note(valuesAfter(whole, (at) => over.lineAt(at)));
      if (depth > 0 && isContinued(text))
        over.join(
          acrossEnds(
            whole,
            (at) => over.lineAt(at),
            (joined) => deeper(joined, depth - 1),
          ),
        );
    }
    over.settle();
    const text = (span: { readonly start: number; readonly end: number }): string =>
      bytes.toString('latin1', span.start, span.end);
    const places = disjoint(
      found.all.map((one) => onCharacters(bytes, one)),
      text,
    );
    const open = over.whole(earlier(keys.open, over.open));
    return open === undefined ? { found: places } : { found: places, open };
  };
  const deeper = (text: string, depth: number): readonly FoundSecret[] =>
    scan(Buffer.from(text, 'latin1'), depth, {}).found;
  return (bytes, before = {}) => scan(bytes, depthMax, before);
}

function opensPlace({ role }: ScanHit): boolean {
  return role.kind === 'rule' && (role.rule === assignmentRule || role.rule.id === 'bearer-token');
}

function isContinued(text: string): boolean {
  return text.endsWith('\\') || text.endsWith('\\\r');
}

function earlier(a: Scanned['open'], b: Scanned['open']): Scanned['open'] {
  return a === undefined || (b !== undefined && b.from < a.from) ? b : a;
}

/** Never a part of a character: where the bytes are UTF-8, they stay UTF-8. */
function onCharacters(bytes: Buffer, found: FoundSecret): FoundSecret {
  let { start, end } = found;
  // A character has at most three such bytes.
  while (start > 0 && found.start - start < 3 && isContinuation(bytes[start])) start--;
  while (end < bytes.length && end - found.end < 3 && isContinuation(bytes[end])) end++;
  return start === found.start && end === found.end ? found : { ...found, start, end };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

interface MarkedLine {
  readonly start: number;
  readonly end: number;
  readonly hits: Hits;
  readonly runs: readonly TextRun[];
}

/** Gives one line after the other that has something in it. */
function markedLines(bytes: Buffer, hits: Hits, runs: readonly TextRun[]): () => MarkedLine | undefined {
  let hit = 0;
  let run = 0;
  return () => {
    const first = Math.min(hits.at[hit] ?? Infinity, runs[run]?.start ?? Infinity);
    if (first === Infinity) return undefined;
    const start = first === 0 ? 0 : bytes.lastIndexOf(newline, first - 1) + 1;
    const next = bytes.indexOf(newline, first);
    const end = next === -1 ? bytes.length : next;
    const firstHit = hit;
    const firstRun = run;
    while ((hits.at[hit] ?? Infinity) < end) hit++;
    while ((runs[run]?.start ?? Infinity) < end) run++;
    return {
      start,
      end,
      hits: { at: hits.at.slice(firstHit, hit), anchor: hits.anchor.slice(firstHit, hit) },
      runs: runs.slice(firstRun, run),
    };
  };
}

function marksOf(line: MarkedLine, roles: Anchored['roles'], found: FoundList): LineMarks {
  const hits: ScanHit[] = [];
  for (const [i, at] of line.hits.at.entries()) {
    const role = roles[line.hits.anchor[i] ?? -1];
    if (role !== undefined) hits.push({ at: at - line.start, role });
  }
  // Once the line before is a placeholder, this one is no rest of it any more: decided now as it will be next time.
  const isTaken = found.reaches(line.start);
  return {
    hits,
    runs: line.runs.map((run) => ({
      start: run.start - line.start,
      end: run.end - line.start,
      isRest: run.isRest && !isTaken,
    })),
  };
}

class FoundList {
  readonly all: FoundSecret[] = [];
  readonly #ends = new Set<number>();

  add(one: FoundSecret): void {
    this.all.push(one);
    this.#ends.add(one.end);
  }

  /** Whether something found goes to the end of the line before, but for a quote, a comma, a return. */
  reaches(lineStart: number): boolean {
    for (let end = lineStart - 1; end >= lineStart - 1 - marginBytesMax; end--)
      if (this.#ends.has(end)) return true;
    return false;
  }
}

/** Notes what goes over the end of a line, once it is known what the lines hold by themselves. */
class OverLinesReader {
  readonly #bytes: Buffer;
  readonly #found: FoundList;
  readonly #waiting: OverLines[] = [];
  readonly #joined: OverLines[] = [];
  open: Scanned['open'];

  constructor(bytes: Buffer, found: FoundList) {
    this.#bytes = bytes;
    this.#found = found;
  }

  note(read: OverLines | undefined): void {
    if (read === undefined) return;
    this.#hold(read);
    if (read.found.length > 0) this.#waiting.push(read);
  }

  join(read: OverLines | undefined): void {
    if (read === undefined) return;
    this.#hold(read);
    for (const one of read.found) this.#found.add(one);
    if (read.found.length > 0) this.#joined.push(read);
  }

  /** Lines that were read together are held back together. */
  whole(open: Scanned['open']): Scanned['open'] {
    if (open === undefined || open.inside !== undefined) return open;
    let { from } = open;
    const together = [...this.#waiting, ...this.#joined].map(
      ({ starts }) => [starts[0] ?? 0, starts.at(-1) ?? 0] as const,
    );
    for (const [first, last] of together.toSorted(([a], [b]) => b - a))
      if (first < from && from <= last) from = first;
    return { from, inside: undefined };
  }

  /** A line that holds something by itself will hold a placeholder: it opens nothing and is no value, now as when it is read again. */
  settle(): void {
    if (this.#waiting.length === 0) return;
    const taken = new Set(this.#found.all.map(({ start }) => lineStartOf(this.#bytes, start)));
    for (const { found, starts } of this.#waiting) {
      if (taken.has(starts[0] ?? 0)) continue;
      const lines = found.map((one) => lineStartOf(this.#bytes, one.start));
      for (const [i, one] of found.entries()) if (!taken.has(lines[i] ?? 0)) this.#found.add(one);
      for (const line of lines) taken.add(line);
    }
  }

  lineAt(from: number): ScannedLine | undefined {
    if (from >= this.#bytes.length) return undefined;
    const newlineAt = this.#bytes.indexOf(newline, from);
    const end = newlineAt === -1 ? this.#bytes.length : newlineAt;
    return {
      text: this.#bytes.toString('latin1', from, Math.min(end, from + 32 * 1024)),
      start: from,
      next: end + 1,
    };
  }

  #hold({ isOpen, starts }: OverLines): void {
    const from = starts[0];
    if (isOpen && from !== undefined) this.open = earlier(this.open, { from, inside: undefined });
  }
}

function lineStartOf(bytes: Buffer, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
}

/** Written without ends of lines, a key is known as it is wrapped elsewhere. */
function linesOf(run: string): readonly string[] {
  return run.length > 76 ? (run.match(/.{1,64}/g) ?? []) : [run];
}

interface KeyMark extends BlockMark {
  /** Where its anchor begins. */
  readonly at: number;
}

function marksOfKeys(bytes: Buffer, hits: Hits, roles: Anchored['roles']): readonly KeyMark[] {
  const marks: KeyMark[] = [];
  for (const [i, at] of hits.at.entries()) {
    if (roles[hits.anchor[i] ?? -1]?.kind !== 'block') continue;
    const before = bytes.toString('latin1', Math.max(0, at - markBytesMax), at);
    const mark = markAt(before, bytes.toString('latin1', at, at + encodedMarkBytesMax));
    if (mark !== undefined) marks.push({ ...mark, at });
  }
  return marks;
}

/** Reads the keys between their marks and notes what it finds. No byte is read for two of them. */
class KeyReader {
  readonly #bytes: Buffer;
  readonly #marks: readonly KeyMark[];
  readonly #found: FoundList;
  open: Scanned['open'];

  constructor(bytes: Buffer, marks: readonly KeyMark[], found: FoundList) {
    this.#bytes = bytes;
    this.#marks = marks;
    this.#found = found;
  }

  /** `inside` if the bytes begin in the middle of a key. */
  readAll(inside: Inside | undefined): void {
    if (inside !== undefined) this.#read(0, { inside, next: 0 });
    for (const [i, { opens, at, length }] of this.#marks.entries())
      if (opens) this.#read(at + length, { inside: openedBlock, next: i + 1 });
  }

  #read(start: number, key: { readonly inside: Inside; readonly next: number }): void {
    const next = this.#marks[key.next];
    const end = next?.at ?? this.#bytes.length;
    let from = start;
    let { inside } = key;
    for (;;) {
      const newlineAt = this.#bytes.indexOf(newline, from + blockBytesMax);
      const isFull = newlineAt !== -1 && newlineAt + 1 < end;
      const to = isFull ? newlineAt + 1 : end;
      const follows: Next = isFull || next === undefined ? undefined : next.opens ? 'opens' : 'closes';
      const block = readBlock(this.#bytes.toString('latin1', from, to), inside, follows);
      this.#note(block, from, inside);
      if (!block.isOpen) return;
      if (!isFull) {
        this.open = inside.continues
          ? { from, inside }
          : { from: lineStartOf(this.#bytes, start), inside: undefined };
        return;
      }
      from = to;
      inside = block.inside;
    }
  }

  #note(block: KeyBlock, from: number, inside: Inside): void {
    const { secret } = block;
    for (const [i, span] of block.spans.entries())
      this.#found.add({
        start: from + span.start,
        end: from + span.end,
        rule: 'private-key',
        rank: 0,
        secret,
        known: linesOf(block.runs[i] ?? ''),
        continues: i > 0 || inside.continues,
      });
  }
}
