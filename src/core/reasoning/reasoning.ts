/**
 * What the record of a conversation says by its structure: who spoke and when, which call never got a result, what ran and how it
 * ended, which files edit tools changed, the task list that an agent kept, commits. Facts decide, words are carried: nothing in this
 * room reads a sentence to find out what it means.
 *
 *   messages    what users said, and where the agent stopped after each
 *   pending     what waits for somebody: a question put with a tool, or the last order
 *   running     the call that had no result yet
 *   task-list   the list of what is to be done, as it was left
 *   commits     commits and pull requests that were made
 *   edits, runs, proving   files, commands and which of them prove something
 *   sentences, rank        words of agents, cut at their ends and put in order by how rare they are
 *   own-summary   what an agent says of its own session when it is asked, with the steps that each statement must hold against
 *   draft       a contract that quotes users, and claims that quote the record
 */
import type { Story, StoryStep } from '../transcript/story.ts';

/** Spoken to by a person, and not by an agent that started it. */
export function isMain(
  { sessions }: Pick<Story, 'sessions'>,
  { session }: Pick<StoryStep, 'session'>,
): boolean {
  return (sessions[session]?.facts.parent ?? null) === null;
}

/** Neither taken back nor told elsewhere. What a compaction took from the model was said all the same. */
export function isTold({ aside }: Pick<StoryStep, 'aside'>): boolean {
  return aside === undefined || aside === 'compacted';
}
