/** How every program's writer reports a call that has no result: no program takes one without. */
export const unansweredCall = {
  kind: 'unanswered-call',
  why: 'a call without a result is written with one that says that it was interrupted',
} as const;
