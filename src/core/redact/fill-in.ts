/**
 * A stored copy has placeholders where secrets were. Where the file that it will replace has the same line with a value in that place,
 * the value is kept: a restore must not take from a tree what the tree has. Lines are paired in order, as in a diff; a line is the
 * same if all but the placeholders is. What has no such line keeps its placeholder.
 *
 * In a binary file secrets were overwritten in place with asterisks; it is kept as it is here if nothing else differs.
 */
import { placeholdersIn } from './placeholder.ts';

export interface Filled {
  readonly bytes: Uint8Array;
  /** Lines that were kept as they are here. */
  readonly kept: number;
  /** Lines that still have a placeholder. */
  readonly left: number;
}

/** Beyond this many pairs of lines only what stands before the first difference and behind the last is paired. */
const pairsMax = 4_000_000;
const asterisk = 0x2a;

export function fillIn(stored: Uint8Array, here: Uint8Array): Filled {
  const lines = linesOf(stored);
  if (!lines.some(({ parts }) => parts.length > 1)) return filledBinary(stored, here);
  const others = linesOf(here);
  const pairs = paired(lines, others);
  let kept = 0;
  let left = 0;
  const text = lines.map(({ text: own, parts }, i) => {
    if (parts.length === 1) return own;
    const other = others[pairs.get(i) ?? -1];
    if (other === undefined) left++;
    else kept++;
    // The line's own ending stays: only the value is taken over.
    return other === undefined ? own : `${other.bare}${own.endsWith('\r') ? '\r' : ''}`;
  });
  return { bytes: Buffer.from(text.join('\n'), 'latin1'), kept, left };
}

interface Line {
  readonly text: string;
  /** Without a carriage return at its end. */
  readonly bare: string;
  /** What stands around the placeholders. */
  readonly parts: readonly string[];
}

function linesOf(bytes: Uint8Array): Line[] {
  // Byte for byte, whatever the encoding is.
  const all = Buffer.from(bytes).toString('latin1').split('\n');
  return all.map((text) => {
    const bare = text.replace(/\r$/, '');
    const spans = placeholdersIn(bare);
    const ends = [...spans.map(({ start }) => start), bare.length];
    return { text, bare, parts: ends.map((end, i) => bare.slice(i === 0 ? 0 : spans[i - 1]?.end, end)) };
  });
}

function isPair(line: Line, other: Line): boolean {
  if (line.parts.length === 1 || line.bare === other.bare) return line.bare === other.bare;
  const { bare } = other;
  // A line of nothing but a secret, as in a key: only something like one is its value.
  if (line.parts.every((part) => !/[\p{L}\p{N}]/u.test(part)) && !/^\S{8,}$/.test(bare.trim())) return false;
  const [first = '', ...rest] = line.parts;
  const last = rest.pop() ?? '';
  if (!bare.startsWith(first) || !bare.endsWith(last)) return false;
  const end = bare.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = bare.indexOf(part, at + 1);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at < end;
}

/** Which line of the other side stands for a line, as in a diff with as few differences as possible. */
function paired(lines: readonly Line[], others: readonly Line[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const isSame = (i: number, j: number): boolean => {
    const [line, other] = [lines[i], others[j]];
    return line !== undefined && other !== undefined && isPair(line, other);
  };
  let begin = 0;
  while (isSame(begin, begin)) pairs.set(begin, begin++);
  let [end, otherEnd] = [lines.length, others.length];
  while (end > begin && otherEnd > begin && isSame(end - 1, otherEnd - 1)) pairs.set(--end, --otherEnd);
  const [rows, columns] = [end - begin, otherEnd - begin];
  if (rows * columns > pairsMax) return pairs;
  const width = columns + 1;
  // The most pairs from a place on.
  const most = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => most[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      most[i * width + j] = isSame(begin + i, begin + j)
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (isSame(begin + i, begin + j)) pairs.set(begin + i++, begin + j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function filledBinary(stored: Uint8Array, here: Uint8Array): Filled {
  const isSame =
    stored.length === here.length && stored.every((byte, i) => byte === here[i] || byte === asterisk);
  return isSame ? { bytes: here, kept: 1, left: 0 } : { bytes: stored, kept: 0, left: 1 };
}
