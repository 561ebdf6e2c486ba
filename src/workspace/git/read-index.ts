/**
 * The index, read without git: a fraction of what starting git takes.
 *
 * The format is git's own, versions 2 and 3: `DIRC`, the version and the number of entries, each in 4 bytes; then the entries: 24
 * bytes of times and numbers, the mode in 4, 12 bytes more, the object id, flags in 2, two more of those if bit 14 is set, the
 * path, and zeros up to a multiple of eight; then extensions with a name of 4 bytes and a length, and at the end a hash. Anything
 * else is not judged here: paths that are told by those before them (version 4), an index in two files (`link`), one with folders
 * in place of what is in them (`sdir`). The hash is not checked: of a damaged index, `status` tells.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './locate.ts';

/** An entry as it lies in the index; of the path, the bytes. */
export interface IndexEntryRead {
  readonly mode: string;
  readonly oid: string;
  readonly path: Buffer;
  readonly stage: number;
  readonly flag: 'assume-unchanged' | 'skip-worktree' | undefined;
}

export interface IndexReading {
  readonly see: (entry: IndexEntryRead) => void;
  /** Not only submodules, and what git was told to look away from. */
  readonly all: boolean;
}

/** False: git must be asked, and nothing is to be made of what was seen. */
export function readIndexAt(
  { gitFolder, hash }: Pick<Repository, 'gitFolder' | 'hash'>,
  reading: IndexReading,
): boolean {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(gitFolder, 'index'));
  } catch {
    return false;
  }
  return readIndex(bytes, hash === 'sha256' ? 32 : 20, reading);
}

const headBytes = 12;
const modeAt = 24;
const idAt = 40;
const gitlink = 0o160000;
const modes: ReadonlySet<number> = new Set([0o100644, 0o100755, 0o120000, gitlink]);
const assumed = 0x8000;
const extended = 0x4000;
const skipped = 0x4000;

export function readIndex(bytes: Buffer, idBytes: 20 | 32, { see, all }: IndexReading): boolean {
  if (bytes.length < headBytes + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return false;
  const end = bytes.length - idBytes;
  let at = headBytes;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + idAt + idBytes;
    if (flagsAt + 4 > end) return false;
    const mode = bytes.readUInt32BE(at + modeAt);
    if (!modes.has(mode)) return false;
    const flags = bytes.readUInt16BE(flagsAt);
    const isExtended = (flags & extended) !== 0;
    const isSkipped = isExtended && (bytes.readUInt16BE(flagsAt + 2) & skipped) !== 0;
    const pathAt = flagsAt + (isExtended ? 4 : 2);
    const pathEnd = bytes.indexOf(0, pathAt);
    if (pathEnd < 0 || pathEnd >= end) return false;
    const flag = isSkipped ? 'skip-worktree' : (flags & assumed) === 0 ? undefined : 'assume-unchanged';
    if (all || flag !== undefined || mode === gitlink)
      see({
        mode: mode.toString(8),
        oid: bytes.toString('hex', at + idAt, flagsAt),
        path: bytes.subarray(pathAt, pathEnd),
        stage: (flags >> 12) & 3,
        flag,
      });
    at += Math.floor((pathEnd - at) / 8) * 8 + 8;
  }
  return at <= end && isPlainRest(bytes.subarray(at, end));
}

/** An extension whose name begins with a capital may be passed over; what is in others changes what the entries mean. */
function isPlainRest(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const first = bytes[at] ?? 0;
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length;
}
