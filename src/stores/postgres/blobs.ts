import { digestBytes, digestFromBytes, type Digest } from '../../core/journal/digest.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import { beginBlob, packBlob, unpackBlob } from '../packing/pack-blob.ts';
import type { Connection } from './connection.ts';

export function postgresBlobs(connection: Connection, s: string): BlobStore {
  const getMany = async (digests: readonly Digest[]): Promise<readonly (Uint8Array | undefined)[]> => {
    const rows = await connection.ask(
      `SELECT digest, codec, bytes, data FROM ${s}.blob WHERE digest = ANY ($1::bytea[])`,
      [digests.map(digestBytes)],
    );
    const found = new Map(
      rows.map(([digest, codec, bytes, data]) => [
        digestFromBytes(digest as Uint8Array),
        { codec: Number(codec), bytes: Number(bytes), data: data as Uint8Array },
      ]),
    );
    return digests.map((digest) => {
      const stored = found.get(digest);
      return stored && unpackBlob(stored, digest);
    });
  };
  return {
    async put(bytes, at) {
      const { digest, codec, bytes: size, data } = await packBlob(bytes);
      await connection.ask(`SELECT ${s}.put_blob_1($1, $2, $3, $4, $5)`, [
        digestBytes(digest),
        codec,
        size,
        at,
        data,
      ]);
      return digest;
    },
    begin: beginBlob,
    getMany,
    async get(digest) {
      return (await getMany([digest]))[0];
    },
    async remove(digest, putBefore) {
      const rows = await connection.ask(
        `DELETE FROM ${s}.blob WHERE digest = $1 AND put_at < $2 RETURNING 1`,
        [digestBytes(digest), putBefore],
      );
      return rows.length > 0;
    },
    async list(after, limit) {
      const rows = await connection.ask(
        `SELECT digest, bytes, put_at FROM ${s}.blob WHERE digest > $1 ORDER BY digest LIMIT $2`,
        [after === undefined ? Buffer.alloc(0) : digestBytes(after), limit],
      );
      return rows.map(([digest, bytes, putAt]) => ({
        digest: digestFromBytes(digest as Uint8Array),
        bytes: Number(bytes),
        putAt: Number(putAt),
      }));
    },
  };
}
