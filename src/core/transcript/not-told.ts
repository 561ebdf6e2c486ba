/**
 * Records that hold something nobody could read: of a session that was cut off in the middle of one, of a damaged line, of a kind that
 * is not known. Whatever was said last may stand there, so nothing is told as the last without a word of it.
 */
import { counted } from '../base/counted.ts';
import { unknownKinds } from './all-unknown.ts';
import type { Omission } from './step.ts';
import type { Story } from './story.ts';

/** How a capture counts a last line without an end: it waits for the next time, and may never be more. */
export const recordCut: Omission = {
  kind: 'record-cut',
  count: 1,
  why: 'the last line has no end: it was cut off, or is still being written',
};

const unreadable: ReadonlySet<string> = new Set([
  ...unknownKinds,
  'record-unreadable',
  'record-too-large',
  'step-unreadable',
]);

/** The newest words are lost, and not any. */
export function isCutOff({ sessions }: Pick<Story, 'sessions'>): boolean {
  return sessions.some(({ omissions }) => omissions.some(({ kind }) => kind === recordCut.kind));
}

/** In sentences of ours; none where all of the conversations with users could be read. */
export function notTold({ sessions }: Pick<Story, 'sessions'>): string[] {
  const lost = sessions
    .filter(({ facts, rewritten }) => facts.parent === null && !rewritten)
    .flatMap(({ omissions }) => omissions);
  const count = lost.reduce((sum, { kind, count: more }) => sum + (unreadable.has(kind) ? more : 0), 0);
  return [
    ...(lost.some(({ kind }) => kind === recordCut.kind)
      ? ['the last record of the session: it was cut off, or was still being written; its words are not here']
      : []),
    ...(count === 0
      ? []
      : [`${counted(count, 'record')} of the session: could not be read; what was said there is not here`]),
  ];
}
