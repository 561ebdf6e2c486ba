/** What an agent is asked for a summary of its own session with: the form of it, and the names of the steps that it can cite. */
import { sanitizeLine } from '../base/sanitize.ts';
import { cut } from '../base/text.ts';
import { withQuestionLine } from '../transcript/leg-line.ts';
import type { JsonObject } from '../transcript/step.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { leavesOf, statementsMax } from './own-summary.ts';
import { isMain, isTold } from './reasoning.ts';
import { commandOf } from './proofs/runs.ts';

/** Of the index. A line of it takes about a hundred: room for the last 250 steps. */
const indexBytesMax = 24 * 1024;
const lineCharsMax = 100;

export function ownSummaryPrompt(story: Pick<Story, 'steps' | 'sessions'>, bytesMax = indexBytesMax): string {
  const { lines, left } = indexOf(story, bytesMax);
  return withQuestionLine(
    `The work of this session is handed over to another agent, which knows only what it is told. Write a summary of your own for it.
Change nothing, run nothing and do not go on with the work: answer with the summary alone.

- At most ${statementsMax} lines, each one statement that begins with "- ": what was decided and why, what was tried and did not work, what is done, what is half done, what you were about to do, what nobody knows yet.
- Each line ends with the names of the steps that it rests on, in square brackets: [s7] or [s7 s42]. They are listed below.
- A path, a command, an error or a number stands in code marks, exactly as it does in one of those steps. It is searched for there, and what is not found is marked as such for the reader.

Steps of the session, by their names${left === 0 ? '' : ` (${left} older ones are left out)`}:
${lines.join('\n')}`,
    'summary',
  );
}

/** The words of users first, then the newest, as far as there is room; in their order. */
function indexOf(
  story: Pick<Story, 'steps' | 'sessions'>,
  bytesMax: number,
): { readonly lines: readonly string[]; readonly left: number } {
  const told = story.steps
    .filter((step) => step.source !== 'system' && isTold(step) && isMain(story, step))
    .map((step) => ({ step, words: firstWords(step) }))
    .filter(({ words }) => words !== '');
  const newest = told.toReversed();
  const inTurn = [
    ...newest.filter(({ step }) => step.source === 'user'),
    ...newest.filter(({ step }) => step.source !== 'user'),
  ];
  const chosen = new Map<StoryStep, string>();
  let bytes = 0;
  for (const { step, words } of inTurn) {
    const line = `s${step.ref} ${step.source}: ${words}`;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bytesMax) break;
    chosen.set(step, line);
  }
  return {
    lines: told.flatMap(({ step }) => chosen.get(step) ?? []),
    left: told.length - chosen.size,
  };
}

function firstWords({ text, given, calls = [] }: StoryStep): string {
  const [call] = calls;
  const called =
    call === undefined ? '' : `${call.tool} ${commandOf(call) ?? call.raw ?? firstOf(call.args)}`;
  return [given?.text ?? text, called]
    .map(shortened)
    .filter((words) => words !== '')
    .join(' → ');
}

function firstOf(args: JsonObject): string {
  return leavesOf(args).next().value ?? '';
}

function shortened(text: string): string {
  const line = sanitizeLine(text.slice(0, 4 * lineCharsMax).toWellFormed());
  return cut(line.replaceAll(/\s+/g, ' ').trim(), lineCharsMax);
}
