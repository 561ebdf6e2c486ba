/**
 * What is packed in a file, given out part by part so that each can be searched like a file of its own. By its first bytes a file is
 *
 *   a stream       gzip, zlib, zstd; brotli by the name, as it has no mark
 *   an archive     zip and all that is one (jar, whl, docx, …), tar
 *   closed         a container that is known and cannot be opened here: xz, bzip2, 7z, rar, packages, images of disks, columns of data
 *   anything else  no container: images, fonts, sound and programs are searched as bytes and are not asked for more
 *
 * Containers in containers are opened too. A part that cannot be opened (encrypted, damaged, another method, deeper or more than the
 * limits allow) is given out as null, so that the caller knows that not all was searched.
 */
import type * as Zlib from 'node:zlib';
import type { OpenPacked } from '../ports/workspace.ts';

export const packedLimits = {
  /** Unpacked bytes of one file, and of all files of a capture. 30 MB of source take about a second to unpack and search. */
  fileBytesMax: 32 * 1024 * 1024,
  captureBytesMax: 64 * 1024 * 1024,
  membersMax: 10_000,
  depthMax: 4,
} as const;

type Kind = 'gzip' | 'zlib' | 'zstd' | 'brotli' | 'zip' | 'tar' | 'closed';

/** Byte strings at the beginning. */
const marks: readonly (readonly [mark: string, kind: Kind])[] = [
  ['\x1f\x8b\x08', 'gzip'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\xfd7zXZ\0', 'closed'],
  ['7z\xbc\xaf\x27\x1c', 'closed'],
  ['Rar!\x1a\x07', 'closed'],
  ['\x04\x22\x4d\x18', 'closed'],
  ['\xff\x06\0\0sNaPpY', 'closed'],
  ['LZIP', 'closed'],
  ['\x1f\x9d', 'closed'],
  ['MSCF\0\0', 'closed'],
  ['!<arch>\ndebian-binary', 'closed'],
  ['\xed\xab\xee\xdb', 'closed'],
  ['hsqs', 'closed'],
  ['QFI\xfb', 'closed'],
  ['KDMV', 'closed'],
  ['vhdxfile', 'closed'],
  ['PAR1', 'closed'],
  ['Obj\x01', 'closed'],
  ['PACK\0\0\0', 'closed'],
  ['# v2 git bundle', 'closed'],
  ['# v3 git bundle', 'closed'],
];
const bzip2 = /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/;
const zlibHeader = /^x[\x01\x5e\x9c\xda]/;

function kindOf(bytes: Buffer, path: string): Kind | undefined {
  const begin = bytes.toString('latin1', 0, 24);
  const kind = marks.find(([mark]) => begin.startsWith(mark))?.[1];
  if (kind !== undefined) return kind;
  if (bzip2.test(begin)) return 'closed';
  if (bytes.toString('latin1', 257, 262) === 'ustar') return 'tar';
  if (bytes.toString('latin1', 32_769, 32_774) === 'CD001') return 'closed';
  if (bytes.toString('latin1', bytes.length - 512, bytes.length - 508) === 'koly') return 'closed';
  if (/\.br$/i.test(path)) return 'brotli';
  if (/\.(?:lzma|lz4|lzo|sz)$/i.test(path)) return 'closed';
  return zlibHeader.test(begin) ? 'zlib' : undefined;
}

/** How much may still be unpacked. */
interface Account {
  bytesLeft: number;
  membersLeft: number;
}

/** Opens the files of one capture. */
export class Unpacking {
  readonly #all: Account = { bytesLeft: packedLimits.captureBytesMax, membersLeft: Infinity };

  /** Undefined for what is no container. */
  opener(content: Uint8Array, path: string): OpenPacked | undefined {
    if (kindOf(asBuffer(content), path) === undefined) return undefined;
    return (bytes) => {
      const own = { bytesLeft: packedLimits.fileBytesMax, membersLeft: packedLimits.membersMax };
      return opened(asBuffer(bytes), { path, depth: packedLimits.depthMax, accounts: [own, this.#all] });
    };
  }
}

interface Place {
  /** Its name, which says what has no mark. */
  readonly path: string;
  readonly depth: number;
  readonly accounts: readonly Account[];
}

function* opened(bytes: Buffer, place: Place): Generator<Uint8Array | null> {
  const kind = kindOf(bytes, place.path);
  if (kind === undefined) return;
  if (kind === 'closed' || place.depth === 0) {
    yield null;
    return;
  }
  const path = place.path.replace(/\.\w+$/, '');
  if (kind === 'zip') yield* membersOf(zipMembers(bytes, place), place);
  else if (kind === 'tar') yield* membersOf(tarMembers(bytes), place);
  else {
    const part = inflated(kind, bytes, place);
    // What only begins like zlib is text or something else.
    if (part === undefined && kind === 'zlib') return;
    yield* membersOf([part === undefined ? null : { path, part }], place);
  }
}

interface Member {
  readonly path: string;
  readonly part: Buffer;
}

function* membersOf(members: Iterable<Member | null>, place: Place): Generator<Uint8Array | null> {
  for (const member of members) {
    if (member === null || place.accounts.some((account) => account.membersLeft-- <= 0)) {
      yield null;
      if (member === null) continue;
      return;
    }
    yield member.part;
    yield* opened(member.part, { ...place, path: member.path, depth: place.depth - 1 });
  }
}

const inflaters = {
  gzip: 'gunzipSync',
  zlib: 'inflateSync',
  raw: 'inflateRawSync',
  zstd: 'zstdDecompressSync',
  brotli: 'brotliDecompressSync',
} as const;

/** It takes 2 ms to load, and most captures have nothing to unpack. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}

/** Undefined if it is damaged, or more than may be unpacked. */
function inflated(kind: keyof typeof inflaters, bytes: Buffer, { accounts }: Place): Buffer | undefined {
  const bytesMax = Math.min(...accounts.map(({ bytesLeft }) => bytesLeft));
  if (bytesMax <= 0) return undefined;
  try {
    const part = zlib()[inflaters[kind]](bytes, { maxOutputLength: bytesMax });
    for (const account of accounts) account.bytesLeft -= part.length;
    return part;
  } catch {
    return undefined;
  }
}

const endRecordBytes = 22;

/** By the list at the end, as programs read it. */
function* zipMembers(bytes: Buffer, place: Place): Generator<Member | null> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || end + endRecordBytes > bytes.length) {
    yield null;
    return;
  }
  const count = bytes.readUInt16LE(end + 10);
  const listBytes = bytes.readUInt32LE(end + 12);
  // Something may stand before the archive, as in one that unpacks itself.
  const moved = end - listBytes - bytes.readUInt32LE(end + 16);
  let at = end - listBytes;
  for (let i = 0; i < count; i++) {
    if (at < 0 || at + 46 > end || bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02') {
      yield null;
      return;
    }
    const member = zipMember(bytes, at, moved, place);
    if (member !== undefined) yield member;
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

/** Undefined for a folder and other members without content, null for what cannot be opened. */
function zipMember(bytes: Buffer, at: number, moved: number, place: Place): Member | null | undefined {
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
  const method = bytes.readUInt16LE(at + 10);
  const packedBytes = bytes.readUInt32LE(at + 20);
  const path = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28));
  if (packedBytes === 0) return undefined;
  const local = bytes.readUInt32LE(at + 42) + moved;
  if (isEncrypted || local < 0 || local + 30 > bytes.length) return null;
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + packedBytes > bytes.length) return null;
  const packed = bytes.subarray(start, start + packedBytes);
  if (method === 0) return { path, part: packed };
  const part =
    method === 8
      ? inflated('raw', packed, place)
      : method === 93
        ? inflated('zstd', packed, place)
        : undefined;
  return part === undefined ? null : { path, part };
}

const blockBytes = 512;

function* tarMembers(bytes: Buffer): Generator<Member | null> {
  for (let at = 0; at + blockBytes <= bytes.length;) {
    if (bytes[at] === 0) return;
    const size = /^[0-7]+/.exec(bytes.toString('latin1', at + 124, at + 136).trim())?.[0];
    const start = at + blockBytes;
    const end = start + Number.parseInt(size ?? 'none', 8);
    if (!(end <= bytes.length)) {
      yield null;
      return;
    }
    const path = bytes.toString('utf8', at, at + 100).replace(/\0[^]*$/, '');
    if (end > start) yield { path, part: bytes.subarray(start, end) };
    at = start + Math.ceil((end - start) / blockBytes) * blockBytes;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
