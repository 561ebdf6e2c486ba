import { digestBytes, digestFromBytes, type Digest } from '../../core/journal/digest.ts';
import type { BlobInfo, BlobStore } from '../../ports/blobs.ts';
import type { Connection } from './connection.ts';
import { decoding, inOrder } from './errors.ts';
import {
  beginBlob,
  packBlob,
  unpackBlob,
  type PackedBlob,
  type StoredContent,
} from '../packing/pack-blob.ts';

/**
 * Rows of a third to two thirds of a page leave the rest of it empty: one of 2 KB in each page of 4 KB would double the
 * file. Such data is cut into pieces that share pages. Longer data fills pages of its own.
 */
const cutBytesMin = 1366;
const cutBytesMax = 2730;
const pieceBytes = 1024;

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

type BlobRow = readonly [n: number, codec: number, bytes: number, pieces: number, data: Uint8Array];

function blobRow(connection: Connection, digest: Digest): BlobRow | undefined {
  return connection
    .list('SELECT n, codec, bytes, pieces, data FROM blob WHERE digest = ?')
    .get(digestBytes(digest)) as unknown as BlobRow | undefined;
}

/** Inside a transaction, so that a removal in between cannot leave half of the pieces. */
function findBlob(connection: Connection, digest: Digest): StoredContent | undefined {
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
    pair.push(unpackBlob({ codec: row[1], bytes: row[2], data: row[4] }, digest));
  }
  return pair;
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
      if (row?.[3] === 0) return unpackBlob({ codec: row[1], bytes: row[2], data: row[4] }, digest);
      const found = row && (await connection.readTogether(() => findBlob(connection, digest)));
      return found === undefined ? undefined : unpackBlob(found, digest);
    },
    async getMany(digests) {
      const pair = digests.length === 2 ? await wholePair(connection, digests) : undefined;
      if (pair !== undefined) return pair;
      const found = await connection.readTogether(() =>
        digests.map((digest) => ({ digest, blob: findBlob(connection, digest) })),
      );
      return found.map(({ digest, blob }) => (blob === undefined ? undefined : unpackBlob(blob, digest)));
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
