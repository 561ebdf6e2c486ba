/** Remarks on lines, as drafts. */
import type { DiffLine, ParsedDiff } from '../../../src/core/diff/parse.ts';
import type { Side } from './rows.ts';

export interface LineComment {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  /** What the line says, to find it again in another diff. */
  readonly quote: string;
  readonly text: string;
}

export type Spot = Omit<LineComment, 'text'>;

/** What a diff needs to take remarks; without it, lines cannot be remarked on. */
export interface Commenting {
  readonly comments: readonly LineComment[];
  /** An empty text takes the remark away. */
  readonly write: (spot: Spot, text: string) => void;
}

export function spotOf(path: string, side: Side, line: DiffLine): Spot | undefined {
  const number = line[side];
  return number === null ? undefined : { path, side, line: number, quote: line.text };
}

/** As the command line takes it: a line that is gone by its old number, below zero. */
export function placeWords({ path, side, line }: Pick<Spot, 'path' | 'side' | 'line'>): string {
  return `${path}:${side === 'old' ? '-' : ''}${line}`;
}

export function isAt(a: Spot, b: Spot): boolean {
  return a.path === b.path && a.side === b.side && a.line === b.line;
}

export function withComment(
  comments: readonly LineComment[],
  spot: Spot,
  text: string,
): readonly LineComment[] {
  const at = comments.findIndex((one) => isAt(one, spot));
  if (text.trim() === '') return at === -1 ? comments : comments.toSpliced(at, 1);
  const comment = { ...spot, text };
  return at === -1 ? [...comments, comment] : comments.with(at, comment);
}

/**
 * The same remarks on another diff of the same work. One stays where its line still says the same, and goes along where exactly one
 * line of its file says it now. What is not found keeps its place: better a remark at the wrong line than none.
 */
export function carried(
  comments: readonly LineComment[],
  { files }: Pick<ParsedDiff, 'files'>,
): readonly LineComment[] {
  return comments.map((comment) => {
    const { path, side, line, quote } = comment;
    const lines = files
      .filter((file) => file.path === path)
      .flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
      .filter((one) => one[side] !== null && one.text === quote);
    if (lines.some((one) => one[side] === line)) return comment;
    const [only, ...others] = lines;
    const moved = others.length === 0 ? only?.[side] : undefined;
    return moved === undefined || moved === null ? comment : { ...comment, line: moved };
  });
}
