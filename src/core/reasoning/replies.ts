/**
 * What users said by way of a call: their answer to a question that an agent put with a tool, and what they said when they refused a
 * call. Readers tell it by the program's own record (`Result.said`); here it becomes what it is, words of a user, under the name of the
 * step that has the call.
 */
import { defined } from '../base/defined.ts';
import { sanitizeLine } from '../base/sanitize.ts';
import { cut } from '../base/text.ts';
import type { StoryStep } from '../transcript/story.ts';

export interface SpokenStep extends StoryStep {
  /** What it answers; empty for words that came with a refusal. */
  readonly asked?: string;
}

/** The same steps, and behind each what users said to its calls. */
export function withReplies(steps: readonly StoryStep[]): readonly SpokenStep[] {
  if (!steps.some(({ results }) => results?.some(({ said }) => said !== undefined))) return steps;
  return steps.flatMap((step): SpokenStep[] => [step, ...repliesIn(step)]);
}

function repliesIn({ results = [], id, at, record, ref, session, aside }: StoryStep): SpokenStep[] {
  return results.flatMap(({ said = [] }) =>
    said.map(({ text, question }): SpokenStep => ({
      id,
      source: 'user',
      at,
      text,
      record,
      ref,
      session,
      asked: question === undefined ? '' : askedOf(question),
      ...defined({ aside }),
    })),
  );
}

const questionCharsMax = 160;

/** On one line and without quotes of ours, so that it can stand in them. */
function askedOf(question: string): string {
  const line = sanitizeLine(question).replaceAll(/\s+/g, ' ').replaceAll(/[“”]/g, '"').trim();
  return cut(line, questionCharsMax);
}
