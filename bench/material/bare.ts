import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Bare {
  /** One transaction for each size, which inserts one row of that many bytes and waits for the disk. */
  readonly run: (sizes: readonly number[]) => void;
  readonly close: () => void;
}

/** The baseline: node:sqlite and nothing else, with the durability that the store asks for. */
export function openBare(path: string): Bare {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE row(n INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT');
  const begin = db.prepare('BEGIN IMMEDIATE');
  const insert = db.prepare('INSERT INTO row(data) VALUES (?)');
  const commit = db.prepare('COMMIT');
  const noise = randomBytes(1024 * 1024);
  return {
    run(sizes) {
      for (const size of sizes) {
        begin.run();
        insert.run(noise.subarray(0, size));
        commit.run();
      }
    },
    close: () => db.close(),
  };
}

/** What a row must weigh for its transaction to write so many pages: the last of its table, the first of the file, and its own. */
export function rowBytesFor(pages: number): number {
  return Math.max(pages - 2, 1) * 4092;
}
