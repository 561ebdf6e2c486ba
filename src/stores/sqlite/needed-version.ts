import type * as sqlite from 'node:sqlite';
import needed from '../../../bin/needed.cjs';
import here from '../../../bin/sqlite-here.cjs';
import { StaffettaError } from '../../core/base/error.ts';

/** Of the SQLite that runs; undefined where this Node has none. */
export const sqliteVersion = here.sqliteHere;

/** Loaded when a store is opened: a Node that has none is told so in our words, and not by its loader. */
export function nodeSqlite(): typeof sqlite {
  refuseUnusableNode(process.versions.node);
  return process.getBuiltinModule('node:sqlite');
}

/** In the words of the launcher. */
export function refuseUnusableNode(node: string): void {
  if (needed.isUsableNode(node)) return;
  throw new StaffettaError('store-unsupported', `${needed.unusableText(node)}.`, { details: { node } });
}

/** An older SQLite can damage a database that several processes write with a write-ahead log. */
export function isLogSafe(version = sqliteVersion()): boolean {
  return needed.isAtLeast(version, needed.sqlite);
}

/** A store keeps the journal that it was made with. */
export function refuseLog(path: string, version = sqliteVersion()): void {
  if (isLogSafe(version)) return;
  throw new StaffettaError(
    'store-unsupported',
    `${path} has a write-ahead log, and this Node runs SQLite ${version ?? 'of no version'}: before ${needed.sqlite}, several processes writing such a store can damage it.`,
    {
      details: { path, sqlite: version ?? null, needed: needed.sqlite },
      hint: `Install ${needed.carriersText()}; a Node that uses the SQLite of the system needs that to be newer. A store that this Node makes has a rollback journal instead: name another place with --store.`,
    },
  );
}
