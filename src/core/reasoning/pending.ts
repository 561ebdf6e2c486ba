/** What waits for somebody: a question that an agent put with a tool and nobody answered; else the last order of a user. */
import type { Json } from '../transcript/step.ts';
import type { Story } from '../transcript/story.ts';
import { isMain } from './reasoning.ts';

export interface PendingQuestion {
  readonly text: string;
  readonly ref: number;
}

const askTools = /^(?:AskUserQuestion|ask_user|question|ask_followup_question|request_user_input)$/i;

/** Only the last step counts: whatever came after the call, somebody went on without the answer. */
export function unansweredQuestion(story: Pick<Story, 'steps' | 'sessions'>): PendingQuestion | null {
  const last = story.steps.findLast(
    (step) =>
      step.aside === undefined &&
      isMain(story, step) &&
      (step.source !== 'system' || step.given?.by === 'user') &&
      (step.source === 'user' || step.text !== '' || (step.calls?.length ?? 0) > 0),
  );
  const call = last?.calls?.find(
    ({ tool, id }) => askTools.test(tool) && !last.results?.some((result) => result.call === id),
  );
  if (last === undefined || call === undefined) return null;
  const texts = questionsIn(call.args);
  return texts.length === 0 ? null : { text: texts.join(' '), ref: last.ref };
}

function questionsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, Json]) =>
    typeof inner === 'string' ? (/^(?:question|prompt|text)$/.test(name) ? [inner] : []) : questionsIn(inner),
  );
}
