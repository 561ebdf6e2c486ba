/** How content is stored by digest, in any store: as it is, compressed with zstd, or as packed JSON. */
import { isUtf8 } from 'node:buffer';
import type * as Zlib from 'node:zlib';
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { damagedBlob, refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import { packText, unpackText } from './packed.ts';

/** Longer content is compressed on another thread; for less the way there takes as long as the work. */
const awayBytesMin = 128 * 1024;

const codecs = { plain: 0, zstd: 1, packed: 2 } as const;

/** Setting up zstd takes 55 µs, and 28 to undo, however short the content: as long as a page takes to the disk. */
const zstdBytesMin = 8 * 1024;
/** In longer JSON the common words weigh little. */
const packBytesMax = 2 * 1024;

/** It takes 2 ms to load, and most commands never meet content that long. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}

export interface StoredContent {
  readonly codec: number;
  readonly bytes: number;
  readonly data: Uint8Array;
}

export interface PackedBlob extends StoredContent {
  readonly digest: Digest;
}

interface BegunBlob {
  readonly digest: Digest;
  /** A promise that fails is heard of by the caller that puts the bytes. */
  readonly packed: PackedBlob | Promise<PackedBlob>;
}

/** What is on its way already. */
const begun = new WeakMap<Uint8Array, BegunBlob>();

export function beginBlob(bytes: Uint8Array): Digest {
  const known = begun.get(bytes);
  if (known !== undefined) return known.digest;
  refuseLargeBlob(bytes);
  const digest = digestOf(bytes);
  const packed = pack(bytes, digest);
  if (packed instanceof Promise) packed.catch(() => {});
  begun.set(bytes, { digest, packed });
  return digest;
}

export async function packBlobs(all: readonly Uint8Array[]): Promise<readonly PackedBlob[]> {
  const packed = all.map(packBlob);
  const ready = packed.flatMap((one) => (one instanceof Promise ? [] : [one]));
  return ready.length === packed.length ? ready : await Promise.all(packed.map(async (one) => await one));
}

export function packBlob(bytes: Uint8Array): PackedBlob | Promise<PackedBlob> {
  const known = begun.get(bytes);
  if (known !== undefined) return known.packed;
  refuseLargeBlob(bytes);
  return pack(bytes, digestOf(bytes));
}

function pack(bytes: Uint8Array, digest: Digest): PackedBlob | Promise<PackedBlob> {
  if (bytes.length >= awayBytesMin) return packedAway(bytes, digest);
  return { digest, bytes: bytes.length, ...compressed(bytes) };
}

/** With room for half of it at once: each time that the room is used up costs a way to this thread and back. */
async function packedAway(bytes: Uint8Array, digest: Digest): Promise<PackedBlob> {
  const { zstdCompress } = zlib();
  const data = await new Promise<Uint8Array>((resolve, reject) => {
    zstdCompress(bytes, { ...zstdOptions(), chunkSize: Math.ceil(bytes.length / 2) }, (error, made) =>
      error === null ? resolve(made) : reject(error),
    );
  });
  return { digest, bytes: bytes.length, ...smaller(bytes, data) };
}

function zstdOptions(): Zlib.ZstdOptions {
  return { params: { [zlib().constants.ZSTD_c_compressionLevel]: 3 } };
}

/** Compressed only where that saves a tenth. */
function smaller(bytes: Uint8Array, data: Uint8Array): Pick<PackedBlob, 'codec' | 'data'> {
  return data.length < bytes.length * 0.9
    ? { codec: codecs.zstd, data }
    : { codec: codecs.plain, data: bytes };
}

function compressed(bytes: Uint8Array): Pick<PackedBlob, 'codec' | 'data'> {
  if (bytes.length >= zstdBytesMin) return smaller(bytes, zlib().zstdCompressSync(bytes, zstdOptions()));
  if (bytes.length <= packBytesMax && bytes[0] === 0x7b && isUtf8(bytes)) {
    const data = packText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    if (data !== undefined && data.length < bytes.length) return { codec: codecs.packed, data };
  }
  return { codec: codecs.plain, data: bytes };
}

/** Throws `corrupt` for what does not match its digest. */
export function unpackBlob({ codec, bytes, data }: StoredContent, digest: Digest): Uint8Array {
  let unpacked: Uint8Array = data;
  try {
    if (codec === codecs.zstd)
      unpacked = zlib().zstdDecompressSync(data, { maxOutputLength: Math.max(bytes, 1) });
    if (codec === codecs.packed) unpacked = Buffer.from(unpackText(data));
  } catch (cause) {
    throw damagedBlob(digest, cause);
  }
  if (!(unpacked instanceof Uint8Array) || digestOf(unpacked) !== digest) throw damagedBlob(digest);
  return unpacked;
}
