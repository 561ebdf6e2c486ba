/**
 * Where the course of a session turned, told by what was done and not by any word. What an agent says there is worth telling even if no
 * sign knows its words: why a way was left, what was taken instead, what is in the way.
 *
 *   undone    an edit was taken back; see `undoing.ts`
 *   retried   a file was edited, a check failed, and the next edit was of the same file
 *   stuck     the last command that failed, and that nothing made good since
 *   stopped   the last message before a user spoke, or before the session ended or broke off
 *
 * Of a turn count the message that goes with it and those right before and after it, up to what a user says in between; of `retried`
 * what is said from the failure to the next edit. Long messages tell of much else, and count only where the agent stopped.
 * Branches that were left are not looked at, and neither is what was rewritten.
 */
import type { StoryStep } from '../transcript/story.ts';
import { editedBy } from './edits.ts';
import { commandOf, isCheck, isFailed, runsIn } from './runs.ts';
import { Undoing } from './undoing.ts';

/** The first that fits a step counts. */
export const turns = ['undone', 'retried', 'stuck', 'stopped'] as const;
export type Turn = (typeof turns)[number];

const messageCharsMax = 1200;

/** By the number of a step: how the course turned there. */
export function turningPoints(steps: readonly StoryStep[]): ReadonlyMap<number, Turn> {
  const found = new Map<number, Turn>();
  const mark = (step: StoryStep | undefined, turn: Turn): void => {
    if (step === undefined || step.text === '' || step.source !== 'agent') return;
    if (turn !== 'stopped' && step.text.length > messageCharsMax) return;
    const before = found.get(step.ref);
    if (before === undefined || turns.indexOf(turn) < turns.indexOf(before)) found.set(step.ref, turn);
  };
  const stuck = stuckAt(steps);
  for (const course of coursesIn(steps)) {
    const undoing = new Undoing();
    for (const [i, step] of course.entries()) {
      if (step.source !== 'agent') continue;
      if (undoing.isUndoneBy(step)) for (const at of around(course, i)) mark(course[at], 'undone');
      if (step.ref === stuck) for (const at of around(course, i)) mark(course[at], 'stuck');
      if (step.text !== '' && isStop(course, i)) mark(step, 'stopped');
    }
    for (const at of retriesIn(course)) mark(course[at], 'retried');
  }
  return found;
}

/** Each session by itself, without what no longer stands. */
function coursesIn(steps: readonly StoryStep[]): StoryStep[][] {
  const courses = new Map<number, StoryStep[]>();
  for (const step of steps) {
    if (step.aside === 'branch-left' || step.aside === 'rewritten') continue;
    const course = courses.get(step.session);
    if (course === undefined) courses.set(step.session, [step]);
    else course.push(step);
  }
  return [...courses.values()];
}

/** The places of the messages at, before and after a place. */
function around(course: readonly StoryStep[], at: number): number[] {
  const next = (by: 1 | -1): number[] => {
    for (let i = at + by; i >= 0 && i < course.length; i += by) {
      if (course[i]?.source === 'user') return [];
      if (course[i]?.source === 'agent' && course[i]?.text !== '') return [i];
    }
    return [];
  };
  return [at, ...next(-1), ...next(1)];
}

/** Nothing more is said or done before a user speaks, the program breaks off or the session ends. */
function isStop(course: readonly StoryStep[], at: number): boolean {
  for (let i = at + 1; i < course.length; i += 1) {
    const { source, text, mark } = course[i] as StoryStep;
    if (source === 'user' || (source === 'system' && mark !== undefined && mark !== 'context')) return true;
    if (source === 'agent' && text !== '') return false;
  }
  return true;
}

/** The newest failure that no later run of the same command has made good. */
function stuckAt(steps: readonly StoryStep[]): number | undefined {
  return runsIn(steps)
    .flatMap(({ failed, passed }) =>
      failed !== null && failed.ref > (passed?.ref ?? -1) ? [failed.ref] : [],
    )
    .toSorted((a, b) => b - a)[0];
}

/** From a check that failed after an edit to the next edit, if that is of the same file. */
function retriesIn(course: readonly StoryStep[]): number[] {
  const places: number[] = [];
  let edited: ReadonlySet<string> = new Set();
  let failedAt: number | null = null;
  for (const [i, step] of course.entries()) {
    if (step.source === 'user') failedAt = null;
    for (const call of step.calls ?? []) {
      const result = step.results?.find((each) => each.call === call.id);
      if (result === undefined) continue;
      const paths = result.failed ? [] : editedBy(call).map(({ path }) => path);
      if (paths.length > 0) {
        if (failedAt !== null && paths.some((path) => edited.has(path)))
          for (let at = failedAt; at <= i; at += 1) places.push(at);
        [edited, failedAt] = [new Set(paths), null];
        continue;
      }
      const command = commandOf(call);
      if (command === null || !isCheck(command)) continue;
      failedAt = isFailed(result) && edited.size > 0 ? i : null;
    }
  }
  return places;
}
