/** What the program of a session itself summarised: a history that it replaced, and where things stood for a person who came back. */
import type { Story } from '../transcript/story.ts';
import { isMain } from './reasoning.ts';

export interface ProgramSummary {
  readonly kind: 'Compaction' | 'Recap';
  readonly ref: number;
  /** Without what the program puts around it for its model. */
  readonly text: string;
}

const kinds = { compaction: 'Compaction', recap: 'Recap' } as const;

export function summariesIn(story: Pick<Story, 'steps' | 'sessions'>): ProgramSummary[] {
  return story.steps.flatMap((step): ProgramSummary[] =>
    step.summary === undefined || step.aside === 'rewritten' || !isMain(story, step)
      ? []
      : [{ kind: kinds[step.summary], ref: step.ref, text: unframed(step.text) }],
  );
}

/** Claude Code has its model think aloud before the line `Summary:`, and tells it to go on behind it. */
const opening = /^Summary:[ \t]*$/m;
const closing =
  /\n(?:If you need specific details from before compaction|Please continue the conversation from where we left)/;

function unframed(text: string): string {
  const from = opening.exec(text);
  const inner = from === null ? text : text.slice(from.index + from[0].length);
  const end = closing.exec(inner);
  return (end === null ? inner : inner.slice(0, end.index)).trim();
}
