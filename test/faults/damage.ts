/** Ways in which a file comes to harm. Each returns other bytes than it was given. */
import type { Random } from '../crash/random.ts';

export interface Damage {
  readonly name: string;
  readonly apply: (bytes: Buffer, random: Random) => { readonly bytes: Buffer; readonly where: string };
}

const pageBytes = 4096;

function changed(bytes: Buffer, at: number, patch: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(patch.subarray(0, copy.length - at), at);
  return copy;
}

function pageCount(bytes: Buffer): number {
  return Math.max(1, Math.floor(bytes.length / pageBytes));
}

export const flipBit: Damage = {
  name: 'a flipped bit',
  apply: (bytes, random) => {
    const at = random.below(bytes.length);
    const bit = random.below(8);
    return { bytes: changed(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << bit))), where: `${at}.${bit}` };
  },
};

export const scribble: Damage = {
  name: 'a few bytes overwritten',
  apply: (bytes, random) => {
    const at = random.below(bytes.length - 16);
    const patch = Uint8Array.from({ length: 1 + random.below(16) }, () => random.below(256));
    return { bytes: changed(bytes, at, patch), where: `${at}+${patch.length}` };
  },
};

export const zeroPage: Damage = {
  name: 'a page of zeros',
  apply: (bytes, random) => {
    const page = random.below(pageCount(bytes));
    return { bytes: changed(bytes, page * pageBytes, new Uint8Array(pageBytes)), where: `page ${page}` };
  },
};

export const swapPages: Damage = {
  name: 'two pages in each other’s place',
  apply: (bytes, random) => {
    const [a, b] = [random.below(pageCount(bytes)), random.below(pageCount(bytes))];
    const pageAt = (page: number): Buffer => bytes.subarray(page * pageBytes, (page + 1) * pageBytes);
    const once = changed(bytes, a * pageBytes, pageAt(b));
    return { bytes: changed(once, b * pageBytes, pageAt(a)), where: `pages ${a} and ${b}` };
  },
};

export const truncate: Damage = {
  name: 'a shorter file',
  apply: (bytes, random) => {
    const pages = random.next() < 0.5;
    // A file of no bytes is one that was never written: that is judged apart.
    const size = pages
      ? (1 + random.below(pageCount(bytes) - 1)) * pageBytes
      : 1 + random.below(bytes.length - 1);
    return { bytes: Buffer.from(bytes.subarray(0, size)), where: `${size} of ${bytes.length} bytes` };
  },
};

/** Some page is as it was a while ago: a write that the disk reported and never made. */
export const stalePage = {
  name: 'a page from the past',
  apply: (bytes: Buffer, random: Random, earlier: Buffer): ReturnType<Damage['apply']> => {
    const page = random.below(pageCount(earlier));
    const old = earlier.subarray(page * pageBytes, (page + 1) * pageBytes);
    return { bytes: changed(bytes, page * pageBytes, old), where: `page ${page}` };
  },
};
