/** Places where a test wants a call to be killed; each is said once what stands before it is done. */
export const treeSteps = [
  'recorded',
  'branched',
  'added',
  'checked-out',
  'filled',
  'restored',
  'copied',
  'set-up',
  'ready',
  'removing',
  'emptied',
  'removed',
  'branch-dropped',
] as const;
export type TreeReached = (step: (typeof treeSteps)[number]) => void;
