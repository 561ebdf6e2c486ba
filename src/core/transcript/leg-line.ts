/**
 * The line by which a session that was started for a task is known again, no matter who started it and where the program keeps it:
 * the last line of the prompt, `Staffetta-Leg: TASK/GENERATION`. At a terminal the program is told to read a file, and the name
 * of the file says the same: `TASK-GENERATION.md` in a folder `prompts`. Such a prompt is ours: no user said it. Neither did a user say
 * a question of ours, whose last line is `Staffetta-Question: WHAT`; some programs keep the copy of a session that it was put to.
 */
import { isTaskId, type TaskId } from '../journal/id.ts';
import { isGiven } from './given.ts';
import type { Step, Transcript } from './step.ts';

export interface LegNamed {
  readonly task: TaskId;
  readonly generation: number;
}

export function withLegLine(prompt: string, { task, generation }: LegNamed): string {
  return `${prompt.trimEnd()}\n\nStaffetta-Leg: ${task}/${generation}\n`;
}

export function withQuestionLine(prompt: string, what: string): string {
  return `${prompt.trimEnd()}\n\nStaffetta-Question: ${what}\n`;
}

const questionAtEnd = /\nStaffetta-Question: \w{1,40}\s*$/;
const lineAtEnd = /(?:^|\n)Staffetta-Leg: (t\w{12})\/(\d{1,9})\s*$/;
const fileToRead =
  /^\s*Read the file [^\n]*[/\\]prompts[/\\](t\w{12})-(\d{1,9})\.md and go on from what it says\.\s*$/;

/** The leg that a prompt of ours is for; null for anybody else's words. */
export function legNamedIn(text: string): LegNamed | null {
  const [, task, generation] = lineAtEnd.exec(text) ?? fileToRead.exec(text) ?? [];
  return task === undefined || !isTaskId(task) ? null : { task, generation: Number(generation) };
}

/** A step as it is told: a prompt of ours is what a program put into a user's mouth, and so is what was handed in as data. */
export function toldBy<S extends Step>(step: S): S {
  if (step.source !== 'user') return step;
  const isOurs = legNamedIn(step.text) !== null || questionAtEnd.test(step.text);
  return isOurs || isGiven(step.text) ? { ...step, source: 'system', mark: 'context' } : step;
}

/** A step as the model got it: in the user's place. */
export function givenTo<S extends Step>(step: S): S {
  if (!isOwnPrompt(step) && !isGiven(step.text)) return step;
  const { mark: _mark, ...rest } = step;
  return { ...rest, source: 'user' } as S;
}

export function isOwnPrompt({ source, mark, text }: Step): boolean {
  return source === 'system' && mark === 'context' && legNamedIn(text) !== null;
}

/** The leg that a session was last told to work on. */
export function legOf({ steps }: Pick<Transcript, 'steps'>): LegNamed | null {
  for (const { source, text } of steps.toReversed()) {
    const leg = source === 'agent' ? null : legNamedIn(text);
    if (leg !== null) return leg;
  }
  return null;
}
