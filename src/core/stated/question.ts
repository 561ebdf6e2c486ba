/** What the previous agent asked and nobody answered: whoever takes over needs the answer before anything else. */
import type { Story, StoryStep } from '../transcript/story.ts';
import { sentencesIn } from './prose.ts';

export interface OpenQuestion {
  readonly text: string;
  readonly ref: number;
  readonly at: number | null;
}

const toUser =
  /\b(?:should I|shall I|do you|would you|could you|can you|are you|is it ok|is that ok|may I|which (?:one|of|option|do|would|should)|what (?:do|would|should)|how (?:do|would|should)|who|where|when|want me to|ok(?:ay)? (?:to|if)|prefer|confirm)\b/i;
const asks =
  /\b(?:let me know|please (?:confirm|tell|decide|choose|advise|clarify)|tell me (?:which|whether|if|what|how))\b/i;

/**
 * The questions of the last thing an agent said, if it ends with one and no user has spoken since. A question in the middle, which
 * the agent went on to answer itself, is not one.
 */
export function unansweredQuestion({
  steps,
  sessions,
}: Pick<Story, 'steps' | 'sessions'>): OpenQuestion | null {
  const last = steps.findLast(
    (step: StoryStep) =>
      step.aside === undefined &&
      (step.source !== 'system' || step.given?.by === 'user') &&
      (sessions[step.session]?.facts.parent ?? null) === null &&
      (step.source === 'user' || step.text !== '' || (step.calls?.length ?? 0) > 0),
  );
  if (last === undefined || last.source !== 'agent') return null;
  if ((last.calls?.length ?? 0) > 0) return askedByTool(last);
  const sentences = sentencesIn(last.text).map(({ text }) => text);
  const tail = sentences.slice(-4);
  const asked = tail.filter(
    (text) => (/\?["'”)*]*$/.test(text) && (toUser.test(text) || text === tail.at(-1))) || asks.test(text),
  );
  return asked.length === 0 ? null : { text: asked.join(' '), ref: last.ref, at: last.at };
}

const askTools = /^(?:AskUserQuestion|ask_user|question|ask_followup_question|request_user_input)$/i;

/** Programs that ask by a tool: the call waits for its result. */
function askedByTool(step: StoryStep): OpenQuestion | null {
  const call = step.calls?.find(
    ({ tool, id }) => askTools.test(tool) && !step.results?.some((result) => result.call === id),
  );
  if (call === undefined) return null;
  const texts: string[] = [];
  collect(call.args, texts);
  return texts.length === 0 ? null : { text: texts.join(' '), ref: step.ref, at: step.at };
}

function collect(value: unknown, into: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (/^(?:question|prompt|text)$/.test(name) && typeof inner === 'string') into.push(inner);
    else collect(inner, into);
  }
}
