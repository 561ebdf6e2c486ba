import type { Packet } from './packet.ts';

export interface ChangedLines {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Since the work began, committed or not: the numbers that every list and page shows. Null where no workspace was looked at. */
export function changedLines({ workspace, diff }: NonNullable<Packet['facts']>): ChangedLines | null {
  if (workspace === undefined) return null;
  const { changes, changesLeft, committed } = workspace;
  // What a diff holds already is not counted again.
  const apart = diff?.committed === true ? undefined : committed;
  return {
    files:
      new Set([...changes, ...(committed?.files ?? [])].map(({ path }) => path)).size +
      changesLeft +
      (committed?.left ?? 0),
    added: (diff?.added ?? 0) + (apart?.added ?? 0),
    removed: (diff?.removed ?? 0) + (apart?.removed ?? 0),
  };
}
