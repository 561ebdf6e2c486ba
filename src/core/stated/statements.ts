/**
 * What was stated in a task's sessions, word for word, with the step that says it. No model is asked: a sentence is taken for what its
 * signs say (`user-cues.ts`, `agent-cues.ts`), and the same steps give the same statements.
 *
 *   users    goals, criteria, constraints, what is not wanted, reviewers, preferences; every other sentence that is more
 *            than small talk is `said`
 *   agents   decisions, dead ends, blockers, next steps; other sentences that are no narration are
 *            `concluded`: they may be any of these in words that no sign knows, the more so if they give a reason or a contrast
 *
 * What users pasted (code, quotations, logs) is `said` and marked. Not statements: what agents pasted, context that programs put in,
 * questions; what stands on a branch that was left or in a capture that was replaced; and what a "user" says in the session of a
 * subagent, for that is another agent.
 * A sentence that was said twice counts once: users where they said it first, agents where they said it last.
 */
import type { StoryStep } from '../transcript/story.ts';
import {
  agentCues,
  agentHeadings,
  agentOrder,
  agentStrengthMin,
  concluding,
  narration,
  outright,
} from './agent-cues.ts';
import { isDenied } from './denied.ts';
import { judge, scaleOf, type AgentKind, type Judged, type StatementKind, type UserKind } from './kinds.ts';
import { messageIn, ownWords, sentencesIn, type Sentence } from './prose.ts';
import { withSuperseded } from './supersede.ts';
import { smallTalk, userCues, userHeadings, userOrder } from './user-cues.ts';

export interface Statement {
  readonly kind: StatementKind;
  /** Word for word; line ends and runs of blanks are one blank. */
  readonly text: string;
  /** The number of the step: 42 for s42. */
  readonly ref: number;
  readonly by: 'user' | 'agent';
  readonly at: number | null;
  /** How outright it was said; for ranking within a kind. */
  readonly strength: number;
  /** The step that took it back or replaced it. */
  readonly superseded?: number;
  /** Of a user, but in the words of somebody else or of a program. */
  readonly pasted?: true;
}

export interface StatedOptions {
  /** Places of sessions, as in `StoryStep.session`, that an agent started: whoever speaks there is no user. */
  readonly subagents?: ReadonlySet<number>;
}

/** Shorter sentences of agents conclude nothing. */
const wordsMin = 5;

const ofUsers = scaleOf(userCues, { order: userOrder, min: 1, hintsAlone: true });
const ofWishes = scaleOf(userCues, { order: ['goal'], min: 1, hintsAlone: true });
const ofUserLists = scaleOf(userHeadings, { order: userOrder, min: 1, hintsAlone: true });
const ofAgents = scaleOf(agentCues, { order: agentOrder, min: agentStrengthMin, hintsAlone: false });
const ofAgentLists = scaleOf(agentHeadings, { order: agentOrder, min: 1, hintsAlone: true });

export function statementsIn(
  steps: readonly StoryStep[],
  { subagents = new Set() }: StatedOptions = {},
): Statement[] {
  const stated: Statement[] = [];
  const begun = new Set<number>();
  const kindOf = remembering(agentKindOf);
  for (const step of steps) {
    if (step.aside === 'branch-left' || step.aside === 'rewritten' || step.text === '') continue;
    if (step.source === 'user' && !subagents.has(step.session)) {
      stated.push(...ofUser(step, !begun.has(step.session)));
      begun.add(step.session);
    } else if (step.source === 'agent') stated.push(...ofAgent(step, kindOf));
  }
  return withSuperseded(once(stated));
}

function ofUser(step: StoryStep, isFirst: boolean): Statement[] {
  const sentences = messageIn(step.text).filter(
    ({ text }) => !smallTalk.test(text) && /\p{L}{2}/u.test(text),
  );
  const opening = isFirst ? openingOf(sentences) : undefined;
  return sentences.map((sentence) => {
    const { text, pasted } = sentence;
    const judged = (pasted === true ? null : userKindOf(sentence)) ?? { kind: 'said' as const, strength: 0 };
    const { kind, strength } =
      sentence === opening ? { kind: 'goal' as const, strength: judged.strength + 4 } : judged;
    const stated = { kind, text, ref: step.ref, by: 'user' as const, at: step.at, strength };
    return pasted === true ? { ...stated, pasted } : stated;
  });
}

/** What a session is opened with is what it is for: the first request, or else the first words if nothing else is said of them. */
function openingOf(sentences: readonly Sentence[]): Sentence | undefined {
  const typed = sentences.filter(({ pasted }) => pasted === undefined);
  const [first] = typed;
  if (first === undefined) return undefined;
  const kind = userKindOf(first)?.kind;
  if (kind === undefined && !isDenied(first.text)) return first;
  return typed.find((sentence) => {
    const judged = userKindOf(sentence);
    return judged?.kind === 'goal' || (judged?.kind === 'acceptance' && isRequest(sentence));
  });
}

/** Says that something is wanted, whatever else it says. */
function isRequest({ text, under }: Sentence): boolean {
  const wanted = judge(ownWords(text), ofWishes);
  return under === undefined && wanted !== null && wanted.strength >= 3 && !isDenied(text);
}

export function userKindOf({ text, under }: Sentence): Judged<UserKind> | null {
  const words = ownWords(text);
  const judged = judge(words, ofUsers);
  const headed = under === undefined ? null : judge(under, ofUserLists);
  if (headed !== null && (judged === null || headed.strength >= judged.strength))
    return { kind: headed.kind, strength: headed.strength + (judged?.strength ?? 0) };
  if (judged === null) return null;
  // A question asks for an answer, unless it asks for work.
  if (/\?["')]*$/.test(text) && !(judged.kind === 'goal' && judged.strength >= 2)) return null;
  // What somebody says they do not want is no goal, whatever words they use for it.
  return judged.kind === 'goal' && isDenied(words) ? { ...judged, kind: 'non-goal' } : judged;
}

/** So many sentences are remembered, so that memory does not grow with a session. */
const rememberedMax = 10_000;

/** Agents repeat themselves, and the same words are judged alike: a sentence without a heading is looked at once. */
function remembering<T>(judged: (sentence: Sentence) => T): (sentence: Sentence) => T {
  const known = new Map<string, T>();
  return (sentence) => {
    if (sentence.under !== undefined) return judged(sentence);
    const before = known.get(sentence.text);
    if (before !== undefined || known.has(sentence.text)) return before as T;
    const now = judged(sentence);
    if (known.size < rememberedMax) known.set(sentence.text, now);
    return now;
  };
}

function ofAgent(step: StoryStep, kindOf: typeof agentKindOf): Statement[] {
  const stated: Statement[] = [];
  for (const sentence of sentencesIn(step.text)) {
    const judged = kindOf(sentence);
    if (judged !== null)
      stated.push({
        kind: judged.kind,
        text: sentence.text,
        ref: step.ref,
        by: 'agent',
        at: step.at,
        strength: judged.strength,
      });
  }
  return stated;
}

export function agentKindOf({ text, under }: Sentence): Judged<AgentKind> | null {
  const headed = under === undefined ? null : judge(under.toLowerCase(), ofAgentLists);
  if (headed !== null) return headed;
  const words = ownWords(text).toLowerCase();
  if (narration.test(words) && !outright.test(words)) return null;
  const judged = judge(words, ofAgents);
  if (judged !== null || /\?["')]*$/.test(text)) return judged;
  if (text.split(' ', wordsMin).length < wordsMin) return null;
  return { kind: 'concluded', strength: concluding.filter((sign) => sign.test(words)).length };
}

function once(stated: readonly Statement[]): Statement[] {
  const kept = new Map<string, Statement>();
  const wordsOf = remembering(({ text }) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  for (const statement of stated) {
    const key = `${statement.kind} ${wordsOf({ text: statement.text })}`;
    if (statement.by === 'user' && kept.has(key)) continue;
    kept.delete(key);
    kept.set(key, statement);
  }
  return [...kept.values()];
}
