/**
 * Reading a file that others may be changing, or that is not a file at all. It is opened without following a link and without
 * waiting for a FIFO's writer; it must look the same after reading as before, or it is read again.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { digestOf, type Digest } from '../core/journal/digest.ts';
import type { LossReason } from '../core/tree/workspace.ts';

// Windows has neither.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const attempts = 3;
const pieceBytes = 1024 * 1024;

export interface ReadFile {
  readonly bytes: number;
  readonly digest: Digest;
  readonly mode: number;
  /** Only if asked for and not larger than asked for. */
  readonly content?: Buffer;
  /** The first bytes, whether or not the content was asked for. */
  readonly beginning: Buffer;
}

export interface Unread {
  readonly loss: LossReason;
  readonly bytes?: number;
  /** What tells one state of an unread file from the next. */
  readonly stamp?: string;
}

export interface ReadLimits {
  /** Larger files are not hashed. */
  readonly hashBytesMax: number;
  /** Larger files are hashed and not kept. */
  readonly keepBytesMax: number;
  /** The path has no link in it, and must not have got one: what is opened must lie exactly there. */
  readonly exact?: boolean;
}

export async function readFile(path: string, limits: ReadLimits): Promise<ReadFile | Unread> {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    return { loss: lossOf(error) };
  }
  try {
    if (limits.exact === true && !isAt(descriptor, path)) return { loss: 'changing' };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = fstatSync(descriptor, { bigint: true });
      if (!before.isFile()) return { loss: 'special' };
      if (before.size > BigInt(limits.hashBytesMax)) return { loss: 'too-large', ...stampOf(before) };
      const read = await readOnce(descriptor, Number(before.size), limits.keepBytesMax);
      const after = fstatSync(descriptor, { bigint: true });
      if (read !== undefined && isSame(before, after)) return { ...read, mode: Number(after.mode) };
    }
    return { loss: 'changing', ...stampOf(fstatSync(descriptor, { bigint: true })) };
  } catch (error) {
    return { loss: lossOf(error) };
  } finally {
    closeSync(descriptor);
  }
}

const descriptors = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;

/** Where the system can tell where an open file lies, nobody can slip in a link on the way to it. */
function isAt(descriptor: number, path: string): boolean {
  return descriptors === undefined || readlinkSync(`${descriptors}/${descriptor}`) === path;
}

function stampOf(stats: BigIntStats): { bytes: number; stamp: string } {
  return { bytes: Number(stats.size), stamp: `${stats.size} ${stats.mtimeNs}` };
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}

function lossOf(error: unknown): LossReason {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'vanished';
  // The name became a link, or never was a file: a socket, a device without a driver.
  if (code === 'ELOOP' || code === 'EMLINK') return 'changing';
  if (code === 'ENXIO' || code === 'ENODEV' || code === 'EOPNOTSUPP') return 'special';
  return 'unreadable';
}

/** Undefined if the file ended before or after the size it said. */
async function readOnce(
  descriptor: number,
  size: number,
  keepBytesMax: number,
): Promise<Omit<ReadFile, 'mode'> | undefined> {
  if (size <= keepBytesMax) {
    // One byte more than expected, to notice growth.
    const content = Buffer.allocUnsafe(size + 1);
    const got = readFully(descriptor, content, 0);
    if (got !== size) return undefined;
    const exact = content.subarray(0, size);
    return { bytes: size, digest: digestOf(exact), content: exact, beginning: exact.subarray(0, 8000) };
  }
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  let beginning = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const got = readFully(descriptor, piece, at);
    if (at === 0) beginning = Buffer.from(piece.subarray(0, Math.min(got, 8000)));
    hash.update(piece.subarray(0, got));
    at += got;
    if (got < pieceBytes || at > size) break;
    await breathe();
  }
  return at === size ? { bytes: size, digest: `sha256:${hash.digest('hex')}`, beginning } : undefined;
}

function readFully(descriptor: number, into: Buffer, from: number): number {
  let got = 0;
  while (got < into.length) {
    const now = readSync(descriptor, into, got, into.length - got, from + got);
    if (now === 0) break;
    got += now;
  }
  return got;
}

/** The digest of a file's bytes, or undefined if it cannot be had. */
export async function digestFile(path: string): Promise<Digest | undefined> {
  const read = await readFile(path, { hashBytesMax: Number.MAX_SAFE_INTEGER, keepBytesMax: 0 });
  return 'loss' in read ? undefined : read.digest;
}

/** As git sees it: a NUL near the beginning. */
export function isBinary(beginning: Uint8Array): boolean {
  return beginning.subarray(0, 8000).includes(0);
}
