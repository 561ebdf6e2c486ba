import { isLogSafe, refuseUnusableNode, sqliteVersion } from '../stores/sqlite/needed-version.ts';

export interface Versions {
  readonly node: string;
  readonly sqlite: string | undefined;
}

/** Of this Node, and of the SQLite that runs in it: it may be another than the one that Node was compiled with. */
export function versionsHere(): Versions {
  return { node: process.versions.node, sqlite: sqliteVersion() };
}

/** Whether it may open every store, or only those with a rollback journal. Refuses a Node that opens none. */
export function opensEveryStore({ node, sqlite }: Versions): boolean {
  refuseUnusableNode(node);
  return isLogSafe(sqlite);
}
