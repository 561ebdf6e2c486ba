import { isUtf8 } from 'node:buffer';
import type * as Zlib from 'node:zlib';
import { digestBytes, digestFromBytes, digestOf, type Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { BlobInfo, BlobStore } from '../../ports/blobs.ts';
import type { Connection } from './connection.ts';
import { decoding, inOrder } from './errors.ts';
import { packText, unpackText } from './packed.ts';

/** Longer content is compressed on another thread; for less the way there takes as long as the work. */
const awayBytesMin = 128 * 1024;

const codecs = { plain: 0, zstd: 1, packed: 2 } as const;

/** Setting up zstd takes 55 µs, and 28 to undo, however short the content: as long as a page takes to the disk. */
const zstdBytesMin = 8 * 1024;
/** In longer JSON the common words weigh little. */
const packBytesMax = 2 * 1024;

/**
 * Rows of a third to two thirds of a page leave the rest of it empty: one of 2 KB in each page of 4 KB would double the
 * file. Such data is cut into pieces that share pages. Longer data fills pages of its own.
 */
const cutBytesMin = 1366;
const cutBytesMax = 2730;
const pieceBytes = 1024;

/** It takes 2 ms to load, and most commands never meet content that long. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}

export interface PackedBlob {
  readonly digest: Digest;
  readonly codec: number;
  readonly bytes: number;
  readonly data: Uint8Array;
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
  refuseLarge(bytes);
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

function packBlob(bytes: Uint8Array): PackedBlob | Promise<PackedBlob> {
  const known = begun.get(bytes);
  if (known !== undefined) return known.packed;
  refuseLarge(bytes);
  return pack(bytes, digestOf(bytes));
}

function pack(bytes: Uint8Array, digest: Digest): PackedBlob | Promise<PackedBlob> {
  if (bytes.length >= awayBytesMin) return packedAway(bytes, digest);
  return { digest, bytes: bytes.length, ...compressed(bytes) };
}

function refuseLarge(bytes: Uint8Array): void {
  if (bytes.length <= limits.blobBytesMax) return;
  throw new StaffettaError(
    'too-large',
    `A blob of ${bytes.length} bytes is over the limit of ${limits.blobBytesMax}.`,
    { hint: 'Store it in pieces.' },
  );
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

// Node 22 binds an array of no bytes, where it has no memory behind it, as NULL.
const put = `INSERT INTO blob(digest, codec, bytes, put_at, pieces, data) VALUES (?, ?, ?, ?, ?, coalesce(?, x''))
  ON CONFLICT(digest) WHERE digest IS NOT NULL DO`;
const putWhole = `${put} UPDATE SET put_at = max(put_at, excluded.put_at)`;
const putFirst = `${put} NOTHING`;

/** Inside a transaction. */
export function insertBlob(
  connection: Connection,
  { digest, codec, bytes, data }: PackedBlob,
  at: number,
): void {
  const cut = data.length >= cutBytesMin && data.length <= cutBytesMax;
  const first = cut ? pieceBytes : data.length;
  const pieces = Math.ceil((data.length - first) / pieceBytes);
  // What is there is only put again. Where pieces would follow, that must be told from a row that is new.
  const { changes } = connection
    .sql(pieces === 0 ? putWhole : putFirst)
    .run(digestBytes(digest), codec, bytes, at, pieces, data.subarray(0, first));
  if (changes === 0) {
    connection.sql('UPDATE blob SET put_at = max(put_at, ?) WHERE digest = ?').run(at, digestBytes(digest));
    return;
  }
  // Rows are numbered one after another within a transaction, so the pieces follow their first.
  for (let from = first; from < data.length; from += pieceBytes)
    connection.sql('INSERT INTO blob(data) VALUES (?)').run(data.subarray(from, from + pieceBytes));
}

interface FoundBlob {
  readonly codec: number;
  readonly bytes: number;
  readonly data: Uint8Array;
}

type BlobRow = readonly [n: number, codec: number, bytes: number, pieces: number, data: Uint8Array];

function blobRow(connection: Connection, digest: Digest): BlobRow | undefined {
  return connection
    .list('SELECT n, codec, bytes, pieces, data FROM blob WHERE digest = ?')
    .get(digestBytes(digest)) as unknown as BlobRow | undefined;
}

/** Inside a transaction, so that a removal in between cannot leave half of the pieces. */
function findBlob(connection: Connection, digest: Digest): FoundBlob | undefined {
  const row = blobRow(connection, digest);
  if (row === undefined) return undefined;
  const [n, codec, bytes, pieces, data] = row;
  if (pieces === 0) return { codec, bytes, data };
  const rest = connection
    .list('SELECT data FROM blob WHERE n > ? AND n <= ? ORDER BY n')
    .all(n, n + pieces) as unknown as readonly (readonly [Uint8Array])[];
  return { codec, bytes, data: decoding(() => Buffer.concat([data, ...rest.map(([piece]) => piece)])) };
}

type PairRow = readonly [digest: Uint8Array, codec: number, bytes: number, pieces: number, data: Uint8Array];

/** Contract and packet: one statement sees one commit. Undefined where one is in pieces or not found. */
async function wholePair(
  connection: Connection,
  digests: readonly Digest[],
): Promise<readonly Uint8Array[] | undefined> {
  const rows = await connection.read(
    () =>
      connection
        .list('SELECT digest, codec, bytes, pieces, data FROM blob WHERE digest IN (?, ?)')
        .all(...digests.map(digestBytes)) as unknown as readonly PairRow[],
  );
  const pair: Uint8Array[] = [];
  for (const digest of digests) {
    const row = rows.find(([name]) => digestFromBytes(name) === digest);
    if (row?.[3] !== 0) return undefined;
    pair.push(unpack({ codec: row[1], bytes: row[2], data: row[4] }, digest));
  }
  return pair;
}

function unpack({ codec, bytes, data }: FoundBlob, digest: Digest): Uint8Array {
  let unpacked: Uint8Array = data;
  try {
    if (codec === codecs.zstd)
      unpacked = zlib().zstdDecompressSync(data, { maxOutputLength: Math.max(bytes, 1) });
    if (codec === codecs.packed) unpacked = Buffer.from(unpackText(data));
  } catch (cause) {
    throw damaged(digest, cause);
  }
  if (!(unpacked instanceof Uint8Array) || digestOf(unpacked) !== digest) throw damaged(digest);
  return unpacked;
}

function damaged(digest: Digest, cause?: unknown): StaffettaError {
  return new StaffettaError('corrupt', `Blob ${digest} does not match its digest.`, {
    cause,
    details: { blob: digest },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}

function deleteBlob(connection: Connection, digest: Digest, putBefore: number): boolean {
  const row = connection
    .sql('DELETE FROM blob WHERE digest = ? AND put_at < ? RETURNING n, pieces')
    .get(digestBytes(digest), putBefore) as { n: number; pieces: number } | undefined;
  if (row === undefined) return false;
  connection.sql('DELETE FROM blob WHERE n > ? AND n <= ?').run(row.n, row.n + row.pieces);
  return true;
}

export function sqliteBlobs(connection: Connection): BlobStore {
  return {
    async put(bytes, at) {
      const blob = await packBlob(bytes);
      await connection.write(() => insertBlob(connection, blob, at));
      return blob.digest;
    },
    begin: beginBlob,
    async get(digest) {
      // Most are one row, for which no transaction is needed.
      const row = await connection.read(() => blobRow(connection, digest));
      if (row?.[3] === 0) return unpack({ codec: row[1], bytes: row[2], data: row[4] }, digest);
      const found = row && (await connection.readTogether(() => findBlob(connection, digest)));
      return found === undefined ? undefined : unpack(found, digest);
    },
    async getMany(digests) {
      const pair = digests.length === 2 ? await wholePair(connection, digests) : undefined;
      if (pair !== undefined) return pair;
      const found = await connection.readTogether(() =>
        digests.map((digest) => ({ digest, blob: findBlob(connection, digest) })),
      );
      return found.map(({ digest, blob }) => (blob === undefined ? undefined : unpack(blob, digest)));
    },
    async remove(digest, putBefore) {
      return await connection.write(() => deleteBlob(connection, digest, putBefore));
    },
    async list(after, limit): Promise<readonly BlobInfo[]> {
      const from = after === undefined ? new Uint8Array(0) : digestBytes(after);
      const rows = await connection.read(
        () =>
          connection
            .sql('SELECT digest, bytes, put_at FROM blob WHERE digest > ? ORDER BY digest LIMIT ?')
            .all(from, limit) as unknown as {
            digest: Uint8Array;
            bytes: number;
            put_at: number;
          }[],
      );
      const listed = rows.map((row) => ({
        digest: decoding(() => digestFromBytes(row.digest)),
        bytes: row.bytes,
        putAt: row.put_at,
      }));
      return inOrder(listed, ({ digest }, before) => digest > (before?.digest ?? after ?? ''));
    },
  };
}
