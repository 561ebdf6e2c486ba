import { refuseOldSqlite, sqliteVersion } from '../stores/sqlite/needed-version.ts';

export interface Versions {
  readonly node: string;
  readonly sqlite: string | undefined;
}

/** Of this Node, and of the SQLite that runs in it: it may be another than the one that Node was compiled with. */
export function versionsHere(): Versions {
  return { node: process.versions.node, sqlite: sqliteVersion() };
}

/** Refuses a Node that a store cannot be trusted to. The launcher does so too, unless it is passed by. */
export function refuseUnfitNode({ sqlite }: Versions): void {
  refuseOldSqlite(sqlite);
}
