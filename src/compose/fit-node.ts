import { refuseOldSqlite } from '../stores/sqlite/needed-version.ts';

/** Refuses a Node that a store cannot be trusted to. The launcher does so too, unless it is passed by. */
export function refuseUnfitNode(versions: Readonly<Record<string, string | undefined>>): void {
  refuseOldSqlite(versions['sqlite']);
}
