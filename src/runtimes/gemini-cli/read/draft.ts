import { filled } from '../../../core/base/defined.ts';
import type {
  Aside,
  ToolCall,
  Json,
  StepMark,
  Result,
  StepSource,
  Step,
  Usage,
} from '../../../core/transcript/step.ts';
import type { Message, Utterance, Voice } from './message.ts';
import type { CallSeen } from './tool-call.ts';

/** A step while the log is still being read: only its number, its place and its time are settled. */
export interface StepDraft {
  readonly id: number;
  readonly record: number;
  readonly at: number | null;
  source: StepSource;
  text: string;
  reasoning: string;
  model: string | null;
  usage: Usage | null;
  mark: StepMark | null;
  aside: Aside | null;
  readonly calls: ToolCall[];
  /** See `answer`. */
  results: ReadonlyMap<string, Result>;
}

export const sourceOf: Readonly<Record<Voice, StepSource>> = {
  context: 'system',
  user: 'user',
  agent: 'agent',
  notice: 'system',
};

export function draftOf(id: number, record: number, message: Message, said: Utterance): StepDraft {
  return {
    id,
    record,
    at: message.at,
    source: sourceOf[said.voice],
    text: said.text,
    reasoning: '',
    model: null,
    usage: null,
    mark: said.mark ?? null,
    aside: null,
    calls: [],
    results: unanswered,
  };
}

/** Shared by all without a result, which are most. */
const unanswered: ReadonlyMap<string, Result> = new Map();

export function answer(draft: StepDraft, call: string, result: Result): void {
  const results = draft.results === unanswered ? new Map<string, Result>() : draft.results;
  draft.results = (results as Map<string, Result>).set(call, result);
}

/** A text may grow under its number; another text is another step. */
export function grows(from: string, to: string): boolean {
  return to === '' || to.startsWith(from);
}

export function stepOf(draft: StepDraft): Step {
  const { id, source, at, text, record } = draft;
  const results =
    draft.results === unanswered ? [] : draft.calls.flatMap((call) => draft.results.get(call.id) ?? []);
  return {
    id,
    source,
    at,
    text,
    ...filled({
      reasoning: draft.reasoning,
      model: draft.model,
      calls: draft.calls,
      results,
      usage: draft.usage,
      mark: draft.mark,
    }),
    ...(draft.mark === 'compaction' && text !== '' ? { summary: draft.mark } : {}),
    ...filled({ aside: draft.aside }),
    record,
  };
}

/** What makes two messages the same under two ids: who says what, and with which calls. */
export function likeness(texts: Iterable<readonly [Voice, string]>, calls: Iterable<string>): string {
  const parts: Json = [[...texts].map(([voice, text]) => [voice, text]), [...calls]];
  return JSON.stringify(parts);
}

export function likenessOf(message: Message): string {
  const calls = message.calls.map(({ call }: CallSeen) => call.id);
  return likeness(
    message.utterances.map(({ voice, text }) => [voice, text] as const),
    calls,
  );
}
