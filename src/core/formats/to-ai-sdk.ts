/**
 * A story as a list of the AI SDK's `UIMessage`, one message a step, for `useChat`, `validateUIMessages` and
 * `convertToModelMessages`. A step of the agent begins with `step-start`; its calls are parts of the type `dynamic-tool`, with
 * their results.
 *
 * Steps that the model does not see any more are left out unless asked for: a list of messages is what a model is given next,
 * and a session that was rewritten would be told twice. `metadata.staffetta` has what the shape has no place for.
 */
import { defined, filled } from '../base/defined.ts';
import type { ToolCall, Json, JsonObject, Omission, Result } from '../transcript/step.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { Tally } from '../transcript/tally.ts';
import { unansweredWords } from './to-chat.ts';

export interface AiSdkOptions {
  /** Also what the model does not see any more. */
  readonly asides?: boolean;
  /** For a model that goes on: a call without a result is answered by saying so, since a provider refuses it otherwise. */
  readonly answered?: boolean;
}

export interface AiSdkMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata: JsonObject;
  readonly parts: readonly JsonObject[];
}

export interface AiSdkMessages {
  readonly messages: readonly AiSdkMessage[];
  readonly omissions: readonly Omission[];
}

const roles = { user: 'user', agent: 'assistant', system: 'system' } as const;

export function toAiSdk(
  story: Story,
  { asides = false, answered = false }: AiSdkOptions = {},
): AiSdkMessages {
  const losses = new Tally();
  const names = new Map<string, number>();
  const messages: AiSdkMessage[] = [];
  for (const step of story.steps) {
    if (!asides && step.aside !== undefined) {
      losses.add('aside', 'a step that the model does not see any more');
      continue;
    }
    const name = `s${step.ref}`;
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    messages.push({
      id: count === 1 ? name : `${name}.${count}`,
      // Data in a user's place: a message of the system would be obeyed all the more.
      role: step.given === undefined ? roles[step.source] : 'user',
      metadata: metadataOf(step, story.sessions[step.session]?.facts.runtime ?? ''),
      parts: partsOf(step, losses, answered),
    });
  }
  return { messages, omissions: losses.omissions() };
}

function metadataOf(step: StoryStep, runtime: string): JsonObject {
  const { at, model, usage, mark, summary, aside } = step;
  return {
    ...filled({ createdAt: at }),
    ...defined({ model }),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    staffetta: {
      name: `s${step.ref}`,
      session: step.session,
      runtime,
      ...defined({ mark, summary, aside }),
    },
  };
}

function usageOf({ input, output, cached, reasoning }: NonNullable<StoryStep['usage']>): JsonObject {
  return {
    ...defined({
      inputTokens: input,
      outputTokens: output,
      cachedInputTokens: cached,
      reasoningTokens: reasoning,
    }),
  };
}

function partsOf(step: StoryStep, losses: Tally, answered: boolean): JsonObject[] {
  const { source, text, reasoning, calls = [], results = [] } = step;
  if (source !== 'agent') {
    const more = calls.length + results.length + (reasoning === undefined ? 0 : 1);
    if (more > 0)
      losses.add('action-of-others', 'only messages of the assistant have reasoning and calls', more);
    return [{ type: 'text', text }];
  }
  const byCall = new Map(results.map((result) => [result.call, result]));
  if (results.some(({ other }) => other !== undefined))
    losses.add('media', 'content of results that is no text is only named');
  return [
    { type: 'step-start' },
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning, state: 'done' }]),
    ...(text === '' ? [] : [{ type: 'text', text, state: 'done' }]),
    ...calls.map((call) => {
      const result = byCall.get(call.id);
      if (result !== undefined || !answered) return toolPart(call, result);
      losses.add('unanswered', 'a call whose result is not on record');
      return toolPart(call, { call: call.id, text: unansweredWords, failed: true });
    }),
  ];
}

function toolPart({ id, tool, args, raw, subagent }: ToolCall, result: Result | undefined): JsonObject {
  const more: Record<string, Json> = {};
  if (subagent !== undefined) more['subagent'] = subagent;
  if (result?.exit !== undefined) more['exit'] = result.exit;
  if (result?.other !== undefined) more['other'] = result.other;
  return {
    type: 'dynamic-tool',
    toolName: tool,
    toolCallId: id,
    ...stateOf(result),
    input: raw ?? args,
    ...(Object.keys(more).length === 0 ? {} : { callProviderMetadata: { staffetta: more } }),
  };
}

function stateOf(result: Result | undefined): JsonObject {
  if (result === undefined) return { state: 'input-available' };
  if (result.failed) return { state: 'output-error', errorText: result.text };
  return { state: 'output-available', output: result.text };
}
