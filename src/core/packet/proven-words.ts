/**
 * How a command of the contract is said to have ended, for the reviewer of a packet: on the work that is judged, and apart from that what
 * lies in the folder now, which may be something else long since. The command and the page say both with these words; nothing is
 * imported, so that the pages can.
 */
export type ProvenStanding = 'bound' | 'stale' | 'unknown' | 'not-run';

export const provenWords: Readonly<Record<ProvenStanding, string>> = {
  bound: 'on exactly this work',
  stale: 'on another state of the work: stale',
  unknown: 'nobody knows on which state',
  'not-run': '',
};

export interface FolderNow {
  readonly unseen: string | null;
  readonly drift: readonly { readonly standing: string }[] | null;
}

/** Null where there is nothing to compare: the packet has no facts of a folder, or nobody looked. */
export function folderWords({ drift, unseen }: FolderNow): string | null {
  if (unseen !== null) return `The folder was not looked at. ${unseen}`;
  if (drift === null) return null;
  return drift.every(({ standing }) => standing === 'same')
    ? 'The folder is as it was when this was sealed.'
    : 'The folder is another now than when this was sealed: what is run there now says nothing about this work.';
}
