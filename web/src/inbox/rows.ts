import type { InboxAnswer } from '../../../src/server/contract/contract-looks.ts';

export type InboxItem = InboxAnswer['items'][number];

export interface InboxRow extends InboxItem {
  readonly key: string;
  /** It does not wait any more, or in another way; it stands here for what somebody is writing about it. */
  readonly isGone: boolean;
}

/** A task may ask several things at once. */
function keyOf({ kind, task, decision, phase }: InboxItem): string {
  return `${kind} ${task} ${decision ?? phase ?? ''}`;
}

/** What failed is over: it is told, and calls for nobody. */
export function isCalling({ kind }: Pick<InboxItem, 'kind'>): boolean {
  return kind !== 'failed';
}

/** What waits, and the one that somebody is writing about in the place where they began. */
export function inboxRows(items: readonly InboxItem[], writing: InboxRow | undefined): readonly InboxRow[] {
  const rows = items.map((item) => ({ ...item, key: keyOf(item), isGone: false }));
  if (writing === undefined || rows.some(({ key }) => key === writing.key)) return rows;
  return [...rows.filter(({ task }) => task !== writing.task), { ...writing, isGone: true }];
}
