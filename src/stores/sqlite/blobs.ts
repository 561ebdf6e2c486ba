import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { digestBytes, digestFromBytes, digestOf, type Digest } from '../../core/digest.ts';
import { StaffettaError } from '../../core/error.ts';
import { limits } from '../../core/limits.ts';
import type { BlobInfo, BlobStore } from '../../ports/blobs.ts';
import type { Connection } from './connection.ts';

const codecs = { plain: 0, zstd: 1 } as const;

/** Below this, compressing costs more time than it saves space. */
const compressBytesMin = 512;
const compressOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export interface PackedBlob {
  readonly digest: Digest;
  readonly codec: number;
  readonly bytes: number;
  readonly data: Uint8Array;
}

export function packBlob(bytes: Uint8Array): PackedBlob {
  if (bytes.length > limits.blobBytesMax) {
    throw new StaffettaError(
      'too-large',
      `A blob of ${bytes.length} bytes is over the limit of ${limits.blobBytesMax}.`,
      {
        hint: 'Store it in pieces.',
      },
    );
  }
  const digest = digestOf(bytes);
  if (bytes.length >= compressBytesMin) {
    const data = zstdCompressSync(bytes, compressOptions);
    if (data.length < bytes.length * 0.9) return { digest, codec: codecs.zstd, bytes: bytes.length, data };
  }
  return { digest, codec: codecs.plain, bytes: bytes.length, data: bytes };
}

/** Inside a transaction. */
export function insertBlob(connection: Connection, blob: PackedBlob, at: number): void {
  connection
    .sql(
      `INSERT INTO blob(digest, codec, bytes, put_at, data) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT(digest) DO UPDATE SET put_at = max(put_at, excluded.put_at)`,
    )
    .run(digestBytes(blob.digest), blob.codec, blob.bytes, at, blob.data);
}

interface BlobRow {
  readonly codec: number;
  readonly bytes: number;
  readonly data: Uint8Array;
}

function unpack(row: BlobRow, digest: Digest): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes =
      row.codec === codecs.plain
        ? row.data
        : zstdDecompressSync(row.data, { maxOutputLength: Math.max(row.bytes, 1) });
  } catch (cause) {
    throw damaged(digest, cause);
  }
  if (digestOf(bytes) !== digest) throw damaged(digest);
  return bytes;
}

function damaged(digest: Digest, cause?: unknown): StaffettaError {
  return new StaffettaError('corrupt', `Blob ${digest} does not match its digest.`, {
    cause,
    details: { blob: digest },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}

export function sqliteBlobs(connection: Connection): BlobStore {
  return {
    async put(bytes, at) {
      const blob = packBlob(bytes);
      await connection.write(() => insertBlob(connection, blob, at));
      return blob.digest;
    },
    async get(digest) {
      const row = await connection.read(
        () =>
          connection.sql('SELECT codec, bytes, data FROM blob WHERE digest = ?').get(digestBytes(digest)) as
            | BlobRow
            | undefined,
      );
      return row === undefined ? undefined : unpack(row, digest);
    },
    async remove(digest, putBefore) {
      return await connection.write(
        () =>
          connection
            .sql('DELETE FROM blob WHERE digest = ? AND put_at < ?')
            .run(digestBytes(digest), putBefore).changes === 1,
      );
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
      return rows.map((row) => ({
        digest: digestFromBytes(row.digest),
        bytes: row.bytes,
        putAt: row.put_at,
      }));
    },
  };
}
