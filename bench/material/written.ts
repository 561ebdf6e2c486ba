/** What a piece of work writes, seen from below the store: the bytes bound in each transaction, and the pages it put into the log. */
import { readFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

export interface Written {
  /** One number for each transaction. */
  readonly bytes: readonly number[];
  readonly pages: readonly number[];
}

export async function written(databasePath: string, work: () => Promise<void>): Promise<Written> {
  const before = pagesPerCommit(databasePath).length;
  const bytes = await boundBytes(work);
  return { bytes, pages: pagesPerCommit(databasePath).slice(before) };
}

async function boundBytes(work: () => Promise<void>): Promise<number[]> {
  const transactions: number[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function counted(this: StatementSync, ...values) {
    const last = transactions.length - 1;
    // Readers begin otherwise: what they do writes nothing.
    if (this.sourceSQL === 'BEGIN IMMEDIATE') transactions.push(0);
    else
      transactions[last] =
        (transactions[last] ?? 0) + values.reduce<number>((sum, value) => sum + size(value), 0);
    return Reflect.apply(run, this, values) as ReturnType<typeof run>;
  };
  try {
    await work();
  } finally {
    StatementSync.prototype.run = run;
  }
  return transactions;
}

function size(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  return value === null ? 0 : 8;
}

/**
 * The write-ahead log: a header of 32 bytes with the page size at 8 and a salt at 16, then frames of 24 bytes and a page each.
 * A frame that ends a transaction has the size of the database at 4, others 0; frames of an earlier round have another salt.
 */
function pagesPerCommit(databasePath: string): number[] {
  const log = readFileSync(`${databasePath}-wal`);
  const commits: number[] = [];
  if (log.length < 32) return commits;
  const frameBytes = 24 + log.readUInt32BE(8);
  const salt = log.readUInt32BE(16);
  let pages = 0;
  for (let at = 32; at + frameBytes <= log.length && log.readUInt32BE(at + 8) === salt; at += frameBytes) {
    pages += 1;
    if (log.readUInt32BE(at + 4) === 0) continue;
    commits.push(pages);
    pages = 0;
  }
  return commits;
}
