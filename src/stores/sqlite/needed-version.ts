import needed from '../../../bin/needed.cjs';
import here from '../../../bin/sqlite-here.cjs';
import { StaffettaError } from '../../core/base/error.ts';

/** Of the SQLite that runs; undefined where this Node has none. */
export const sqliteVersion = here.sqliteHere;

/** An older SQLite can damage a database that several processes write in WAL mode. */
export function refuseOldSqlite(version: string | undefined): void {
  if (isAtLeast(version ?? '0', needed.sqlite)) return;
  const lines = needed.carriers.map((first) => `${first.split('.')[0]} (${first} or later)`);
  throw new StaffettaError(
    'store-unsupported',
    version === undefined
      ? `This Node has no SQLite; a store needs ${needed.sqlite} or newer.`
      : `This Node runs SQLite ${version}; before ${needed.sqlite}, several processes writing one store can damage it.`,
    {
      details: { sqlite: version ?? null, needed: needed.sqlite },
      hint: `Install the latest Node ${lines.join(' or ')}. A Node that uses the SQLite of the system needs that to be newer.`,
    },
  );
}

function isAtLeast(version: string, min: string): boolean {
  const [left, right] = [version, min].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i += 1) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
