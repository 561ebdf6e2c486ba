/**
 * Bytes as a change of earlier bytes. A list of messages that grows is written as what was added to it, so that a thread takes as much
 * room as its messages do; and a list that the framework rewrote, as what is new in it.
 */

export interface PatchedBytes {
  readonly base: PatchedBytes | undefined;
  /** So many bytes from the beginning of the base, and from its end; what is new stands between them. */
  readonly head: number;
  readonly tail: number;
  readonly middle: Uint8Array;
  readonly length: number;
}

const blockBytes = 64 * 1024;

export function wholeBytes(bytes: Uint8Array): PatchedBytes {
  return { base: undefined, head: 0, tail: 0, middle: bytes, length: bytes.length };
}

export function patchOf(
  base: PatchedBytes,
  middle: Uint8Array,
  { head, tail }: { readonly head: number; readonly tail: number },
): PatchedBytes {
  return { base, head, tail, middle, length: head + middle.length + tail };
}

/** `before` are the bytes of the base. */
export function patchBetween(base: PatchedBytes, before: Uint8Array, after: Uint8Array): PatchedBytes {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head + blockBytes <= shorter && sameBlock(before, after, head)) head += blockBytes;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return patchOf(base, after.slice(head, after.length - tail), { head, tail });
}

function sameBlock(a: Uint8Array, b: Uint8Array, at: number): boolean {
  return Buffer.compare(a.subarray(at, at + blockBytes), b.subarray(at, at + blockBytes)) === 0;
}

interface Stretch {
  readonly of: PatchedBytes;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** Put together again: each byte is copied once, however long the chain is. */
export function bytesOf(patched: PatchedBytes): Uint8Array {
  const whole = new Uint8Array(patched.length);
  const open: Stretch[] = [{ of: patched, from: 0, to: patched.length, at: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { of, from, to, at } = next;
    const { base, head, middle, length, tail } = of;
    const inMiddle = middle.subarray(clamp(from - head, middle), clamp(to - head, middle));
    if (inMiddle.length > 0) whole.set(inMiddle, at + Math.max(0, head - from));
    if (base === undefined) continue;
    if (from < head) open.push({ of: base, from, to: Math.min(to, head), at });
    const tailAt = length - tail;
    if (to <= tailAt) continue;
    const first = Math.max(from, tailAt);
    const shift = base.length - length;
    open.push({ of: base, from: first + shift, to: to + shift, at: at + first - from });
  }
  return whole;
}

function clamp(place: number, { length }: Uint8Array): number {
  return Math.max(0, Math.min(length, place));
}
