/** What users said, in order and word for word, each with what the agent had said before it and where it stopped after it. */
import { defined } from '../base/defined.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { isMain, isTold } from './reasoning.ts';
import { withReplies } from './replies.ts';

export interface UserMessage {
  readonly ref: number;
  readonly at: number | null;
  readonly text: string;
  /** What the agent asked with a tool, where this answers it; empty for words that came with a refusal. */
  readonly asked?: string;
  /** The last that the agent had said before, in the same turn of the conversation; null where nothing was. */
  readonly before: AgentMessage | null;
  /** The user stopped the agent at what this asked for. */
  readonly stopped?: true;
}

export interface AgentMessage {
  readonly ref: number;
  readonly text: string;
}

export interface Turn {
  /** Null for what an agent said before any user did. */
  readonly message: UserMessage | null;
  /** The last that the agent said before the next message; null where it said nothing. */
  readonly last: AgentMessage | null;
}

/** Sessions that agents started are no conversation with a user. */
export function turnsIn(story: Pick<Story, 'steps' | 'sessions'>): Turn[] {
  const turns: { message: UserMessage | null; last: AgentMessage | null }[] = [];
  let before: AgentMessage | null = null;
  for (const step of withReplies(story.steps)) {
    const asking = turns.at(-1);
    if (step.mark === 'interrupted' && asking !== undefined && isTold(step) && isMain(story, step))
      asking.message &&= { ...asking.message, stopped: true };
    if (
      step.source === 'system' ||
      step.mark === 'command' ||
      step.text.trim() === '' ||
      !isTold(step) ||
      !isMain(story, step)
    )
      continue;
    if (step.source === 'agent') {
      before = { ref: step.ref, text: step.text };
      const turn = turns.at(-1);
      if (turn === undefined) turns.push({ message: null, last: before });
      else turn.last = before;
      continue;
    }
    const { ref, at, text, asked } = step;
    const message = { ref, at, text, before, ...defined({ asked }) };
    const turn = turns.at(-1);
    // Sent again because nothing had come of it: told once.
    const isAgain = asked === undefined && turn?.message?.text === text && turn.last === null;
    if (isAgain) turn.message = message;
    else turns.push({ message, last: null });
    before = null;
  }
  return turns;
}

/** Without what only steers the program, where its reader could not tell: a command alone, that no agent answered. */
export function messagesIn(turns: readonly Turn[]): UserMessage[] {
  return turns.flatMap(({ message, last }) =>
    message === null || (last === null && command.test(message.text)) ? [] : [message],
  );
}

const command = /^\s*(?:[/!]\S*|exit|quit)\s*$/i;

/** A message that says what is wanted by itself is longer than this; a shorter one leans on what it answers. */
const shortChars = 40;

export function isShort({ text }: Pick<UserMessage, 'text'>): boolean {
  return text.trim().length < shortChars;
}

/** What is wanted now: the latest message that says something by itself; else the longest of the latest few. */
export function latestRequest(messages: readonly UserMessage[]): UserMessage | undefined {
  const asking = messages.filter((message) => message.asked === undefined);
  return (
    asking.findLast((message) => !isShort(message)) ??
    asking.toSorted((a, b) => a.text.trim().length - b.text.trim().length).at(-1)
  );
}

/** The last words of an agent in the conversation with its user. */
export function lastSaidIn(turns: readonly Turn[]): AgentMessage | null {
  return turns.findLast(({ last }) => last !== null)?.last ?? null;
}

/** Steps of agents in conversations with users that say something. */
export function agentSteps(story: Pick<Story, 'steps' | 'sessions'>): StoryStep[] {
  return story.steps.filter(
    (step) => step.source === 'agent' && step.text.trim() !== '' && isTold(step) && isMain(story, step),
  );
}
