/** What the program of a session itself summarised: the text that replaced a history when the model's window was full. */
import type { Story } from '../transcript/story.ts';
import { isMain } from './reasoning.ts';

export interface ProgramSummary {
  readonly kind: string;
  readonly ref: number;
  readonly text: string;
}

export function summariesIn(story: Pick<Story, 'steps' | 'sessions'>): ProgramSummary[] {
  return story.steps.flatMap((step): ProgramSummary[] =>
    step.source === 'system' &&
    step.mark === 'compaction' &&
    step.text.trim() !== '' &&
    step.aside !== 'rewritten' &&
    isMain(story, step)
      ? [{ kind: 'Compaction', ref: step.ref, text: step.text }]
      : [],
  );
}
