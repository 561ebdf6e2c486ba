import type { AttentionAnswer } from '../../../src/server/contract/contract-looks.ts';

export type Stuck = AttentionAnswer['stuck'][number];

export interface StuckNow extends Stuck {
  /** It is not stuck any more, or in another way; it stands here for what somebody is writing about it. */
  readonly gone: boolean;
}

/** What is stuck, and the one that somebody is writing about in the place where they began. */
export function rowsOf(stuck: readonly Stuck[], writing: Stuck | undefined): readonly StuckNow[] {
  const isThere = stuck.some(({ card, kind }) => card.task === writing?.card.task && kind === writing.kind);
  const rows = stuck.map((one) => ({ ...one, gone: false }));
  if (writing === undefined || isThere) return rows;
  return [...rows.filter(({ card }) => card.task !== writing.card.task), { ...writing, gone: true }];
}
