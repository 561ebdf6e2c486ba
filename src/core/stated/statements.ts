/**
 * What was stated in a task's sessions, word for word, with the step that says it. No model is asked: a sentence is taken for what its
 * signs say (`user-cues.ts`, `agent-cues.ts`), and the same steps give the same statements.
 *
 *   users    goals, criteria, constraints, what is not wanted, reviewers, preferences; every other sentence that is more
 *            than small talk is `said`
 *   agents   decisions, dead ends, blockers, next steps; other sentences that are no narration are
 *            `concluded`: they may be any of these in words that no sign knows, the more so if they give a reason or a contrast
 *
 * What users said in answer to a call counts as theirs (`replies.ts`). What users pasted (code, quotations, logs) is `said` and marked. Not statements: what agents pasted, context that programs put in,
 * questions; what stands on a branch that was left or in a capture that was replaced; and what a "user" says in the session of a
 * subagent, for that is another agent.
 * A sentence that was said twice counts once: users where they said it first, agents where they said it last.
 */
import type { StoryStep } from '../transcript/story.ts';
import {
  agentCues,
  agentGates,
  agentHeadings,
  agentOrder,
  agentStrengthMin,
  concluding,
  conclusive,
} from './agent-cues.ts';
import { isDenied } from './denied.ts';
import { foreignTakesBack } from './foreign-backs.ts';
import { foreignCues, foreignHeadings, isForeign } from './foreign-cues.ts';
import { judge, scaleOf, type AgentKind, type Judged, type StatementKind, type UserKind } from './kinds.ts';
import { isQuestion, leadOf, toProgram } from './leaning.ts';
import { narration, outright, reported, turning } from './narration.ts';
import { permitIn } from './permits.ts';
import { messageIn, ownWords, sentencesIn, type Sentence } from './prose.ts';
import { isReply, withReplies, type SpokenStep } from './replies.ts';
import { siftedBy } from './sifted.ts';
import { sayingOf, withSuperseded } from './supersede.ts';
import { leavesOff, takenBackIn, type TakenBack } from './taken-back.ts';
import { smallTalk, userCues, userHeadings, userOrder } from './user-cues.ts';
import { forThat } from './wish-cues.ts';

export interface Statement {
  readonly kind: StatementKind;
  /** Word for word; line ends and runs of blanks are one blank. */
  readonly text: string;
  /** Of a goal or an item of a list: the words before it without which it does not say what it is about. */
  readonly lead?: string;
  /** Of a goal that was asked for by a question: the words behind it that say what is wanted. */
  readonly tail?: string;
  /** The number of the step: 42 for s42. */
  readonly ref: number;
  readonly by: 'user' | 'agent';
  readonly at: number | null;
  /** How outright it was said; for ranking within a kind. */
  readonly strength: number;
  /** The step that took it back or replaced it. */
  readonly superseded?: number;
  /** It takes something back, and asks for nothing. */
  readonly retracts?: true;
  /** What it answers, where an agent asked with a tool. */
  readonly asked?: string;
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
const ofForeigners = scaleOf(foreignCues, { order: userOrder, min: 2, hintsAlone: true });
const ofUserLists = scaleOf([...userHeadings, ...foreignHeadings], {
  order: userOrder,
  min: 1,
  hintsAlone: true,
});
const ofAgents = scaleOf(agentCues, {
  order: agentOrder,
  min: agentStrengthMin,
  hintsAlone: false,
  gates: agentGates,
});
const user = siftedBy(ofUsers, { lowered: false });
const agent = siftedBy(ofAgents, {
  lowered: true,
  others: [narration, outright, reported, turning, ...concluding.map(([, sign]) => sign)],
});
const ofAgentLists = scaleOf(agentHeadings, { order: agentOrder, min: 1, hintsAlone: true });

export function statementsIn(
  steps: readonly StoryStep[],
  { subagents = new Set() }: StatedOptions = {},
): Statement[] {
  const stated: Statement[] = [];
  const begun = new Set<number>();
  const kindOf = remembering(agentKindOf);
  const spoken = withReplies(steps);
  user.expect(charsOf(spoken, 'user'));
  agent.expect(charsOf(spoken, 'agent'));
  for (const step of spoken) {
    if (step.aside === 'branch-left' || step.aside === 'rewritten' || step.text === '') continue;
    if (step.source === 'user' && !subagents.has(step.session)) {
      const found = ofUser(step, !isReply(step) && !begun.has(step.session));
      stated.push(...found);
      if (found.length > 0 && !isReply(step)) begun.add(step.session);
    } else if (step.source === 'agent') stated.push(...ofAgent(step, kindOf));
  }
  return once(withSuperseded(stated));
}

function charsOf(steps: readonly StoryStep[], by: StoryStep['source']): number {
  return steps.reduce((sum, { source, text }) => (source === by ? sum + text.length : sum), 0);
}

function ofUser(step: SpokenStep, isFirst: boolean): Statement[] {
  if (toProgram.test(step.text)) return [];
  const sentences = messageIn(step.text).filter(
    ({ text }) => !smallTalk.test(text) && /\p{L}{2}/u.test(text),
  );
  const typed = sentences.filter(({ pasted }) => pasted === undefined);
  const opening = isFirst ? openingOf(typed.filter(({ text }) => !isHeading(text))) : undefined;
  return sentences.map((sentence) => {
    const { text, pasted } = sentence;
    const judged = (pasted === true ? null : userKindOf(sentence)) ?? { kind: 'said' as const, strength: 0 };
    const { kind, strength } =
      sentence === opening ? { kind: 'goal' as const, strength: judged.strength + 4 } : judged;
    const lead =
      kind === 'goal'
        ? leadOf(typed, sentence, { first: sentence === opening && isOpen(typed) })
        : saidOver(sentence, kind);
    const tail = sentence === opening && isQuestion(text) && strength > asked ? tailOf(typed, sentence) : '';
    const { ref, at, asked: question = '' } = step;
    return {
      kind,
      text,
      ...(lead === undefined ? {} : { lead }),
      ...(tail === '' ? {} : { tail }),
      ref,
      by: 'user',
      at,
      strength,
      ...(question === '' ? {} : { asked: question }),
      ...(pasted === true ? { pasted } : {}),
    };
  });
}

/** What a question weighs that opens a session and asks for no work. */
const asked = 4;
const tailMax = 3;
/** Of the writer, or of how things are: no part of what is wanted. */
const aside =
  /^\W*(?:i|i['’]m|i['’]ve|we|we['’]re|he|she|they|thanks?|thx|currently|right now|at the moment|today|yesterday|last|so far|fyi|btw|by the way|no (?:rush|hurry)|sorry|because)\b/i;

/** What follows a request in the form of a question says what is wanted, unless it says something of a kind of its own. */
function tailOf(typed: readonly Sentence[], request: Sentence): string {
  const behind = typed.slice(typed.indexOf(request) + 1).filter((sentence) => {
    const judged = userKindOf(sentence);
    return judged === null || (judged.kind === 'goal' && judged.strength < asked);
  });
  return behind
    .filter(({ text }) => !isQuestion(text) && !aside.test(text) && takenBackIn(text) === null)
    .slice(0, tailMax)
    .map(({ text }) => text)
    .join(' ');
}

/** "Do not touch:" over a list: its items say nothing without it. */
function saidOver({ under }: Sentence, kind: UserKind): string | undefined {
  if (under === undefined || (kind !== 'constraint' && kind !== 'non-goal' && kind !== 'acceptance'))
    return undefined;
  return isHeading(under) && telling.test(under) ? under : undefined;
}

const telling = /\b(?:don['’]?t|do not|never|must|avoid|only|keep|leave|nicht|kein\w*|non|ne pas)\b/i;
const headingWordsMax = 6;

/** A few words and a colon stand over something, and state nothing themselves. */
function isHeading(text: string): boolean {
  return /:[\s*_]*$/.test(text) && text.trim().split(/\s+/).length <= headingWordsMax;
}

/**
 * What a session is opened with is what it is for: the first request; else the first words, unless they say what is not wanted or
 * more than in passing something else. A question and words about the writer or how things are come before a request, and are not it.
 */
function openingOf(typed: readonly Sentence[]): Sentence | undefined {
  const request = typed.find((sentence) => {
    const judged = userKindOf(sentence);
    return judged?.kind === 'goal' || (judged?.kind === 'acceptance' && isRequest(sentence));
  });
  const [first] = typed;
  if (first === undefined || !isOpeningWords(first, typed.length === 1)) return request;
  const isOutright = request !== undefined && (userKindOf(request)?.strength ?? 0) >= requestMin;
  return isOutright ? request : first;
}

function isOpeningWords(first: Sentence, isAlone: boolean): boolean {
  const judged = userKindOf(first);
  return !isDenied(first.text) && (judged === null || (isAlone && isWeak(judged)));
}

/** Whether the first words are more than a greeting: what they say belongs to the request that follows. */
function isOpen([first, ...others]: readonly Sentence[]): boolean {
  return first !== undefined && isOpeningWords(first, others.length === 0) && !background.test(first.text);
}

const requestMin = 2;
const background =
  /^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|morning|dear|i|i['’]m|we|we['’]re|our|my|since|so|as|there|it|this|that|currently|today|yesterday|right now|recently|context|background|fyi|the|a|an|some|last)\b/i;

/** Said in passing. */
function isWeak({ kind, strength }: Judged<UserKind>): boolean {
  return strength <= 2 && kind !== 'non-goal' && kind !== 'reviewer';
}

/** Says that something is wanted, whatever else it says. */
function isRequest({ text, under }: Sentence): boolean {
  const wanted = judge(ownWords(text), ofWishes);
  return under === undefined && wanted !== null && wanted.strength >= 3 && !isDenied(text);
}

export function userKindOf(sentence: Sentence): Judged<UserKind> | null {
  if (foreignTakesBack.test(sentence.text) || isHeading(sentence.text)) return null;
  const back = takenBackIn(sentence.text);
  if (back !== null) return orderKindOf(sentence, back);
  const judged = ownKindOf(sentence);
  // "Never mind Cart, it is finished": nothing is accepted by that.
  if (judged?.kind !== 'acceptance' || permitIn(sentence.text)?.way !== 'dismisses') return judged;
  return { kind: 'constraint', strength: orderStrength };
}

/** What is said in the place of something that was taken back is judged alone; to say only what no longer holds is a rule, too. */
function orderKindOf(sentence: Sentence, { about, order }: TakenBack): Judged<UserKind> | null {
  const rule = { kind: 'constraint' as const, strength: orderStrength };
  if (order === '') return about === '' ? null : rule;
  const judged = ownKindOf({ ...sentence, text: order });
  if (judged === null) return about === '' || isQuestion(order) ? null : rule;
  const isPassing = judged.kind === 'goal' && judged.strength <= orderStrength;
  return isPassing || (judged.kind === 'non-goal' && leavesOff.test(order)) ? rule : judged;
}

const orderStrength = 3;
/** What "so that" weighs alone. */
const soThat = 3;

function ownKindOf({ text, under }: Sentence): Judged<UserKind> | null {
  const words = ownWords(text);
  const judged = judgedIn(words);
  const headed = headedBy(under) ?? headedBy(labelOf(words));
  if (headed !== null && (judged === null || headed.strength >= judged.strength))
    return { kind: headed.kind, strength: headed.strength + (judged?.strength ?? 0) };
  if (judged === null) return null;
  // A question asks for an answer, unless it asks for work.
  if (isQuestion(text) && !(judged.kind === 'goal' && judged.strength >= 2)) return null;
  if (judged.kind === 'acceptance' && judged.strength === soThat && forThat.test(words))
    return { kind: 'goal', strength: soThat };
  // What somebody says they do not want is no goal, whatever words they use for it.
  return judged.kind === 'goal' && isDenied(words) ? { ...judged, kind: 'non-goal' } : judged;
}

/** So many sentences are remembered, so that memory does not grow with a session. */
const rememberedMax = 10_000;

/** Agents repeat themselves, and the same words are judged alike: a sentence with no heading or box is looked at once. */
function remembering<T>(judged: (sentence: Sentence) => T): (sentence: Sentence) => T {
  const known = new Map<string, { readonly judged: T }>();
  return (sentence) => {
    if (sentence.under !== undefined || sentence.box !== undefined) return judged(sentence);
    const before = known.get(sentence.text);
    if (before !== undefined) return before.judged;
    const now = judged(sentence);
    if (known.size < rememberedMax) known.set(sentence.text, { judged: now });
    return now;
  };
}

function judgedIn(words: string): Judged<UserKind> | null {
  user.look(words);
  const english = user.judged();
  if (!isForeign(words)) return english;
  const foreign = judge(words.toLowerCase(), ofForeigners);
  return (foreign?.strength ?? 0) > (english?.strength ?? 0) ? foreign : english;
}

function headedBy(title: string | undefined): Judged<UserKind> | null {
  return title === undefined ? null : judge(title, ofUserLists);
}

/** "Done when: …", "ready = …": a few words that say what follows is. */
const labelChars = 60;
const labelWordsMax = 5;

function labelOf(words: string): string | undefined {
  const end = words.slice(0, labelChars).search(/[:=→]|->/);
  if (end < 1 || !/^\S{1,2}[\s*_]+\S/.test(words.slice(end))) return undefined;
  const label = words.slice(0, end).replace(/[*_]+/g, '').trim();
  return /[^\p{L}\s'’;/-]/u.test(label) || label.split(/\s+/).length > labelWordsMax ? undefined : label;
}

function ofAgent(step: StoryStep, kindOf: typeof agentKindOf): Statement[] {
  return clausesIn(step.text, kindOf).flatMap(({ sentence, judged }) =>
    judged === null
      ? []
      : [
          {
            kind: judged.kind,
            text: sentence.text,
            ref: step.ref,
            by: 'agent' as const,
            at: step.at,
            strength: judged.strength,
          },
        ],
  );
}

/** Whole sentences are told as long as this, in characters. */
const joinedCharsMax = 280;

interface Clause {
  readonly sentence: Sentence;
  readonly judged: Judged<AgentKind> | null;
}

/** Sentences of a message. Clauses with a semicolon between them stay one, such as a choice and its reason, unless each is of a kind of its own. */
function clausesIn(message: string, kindOf: typeof agentKindOf): Clause[] {
  const clauses: Clause[] = [];
  const isPlain = !message.includes(';');
  for (const sentence of sentencesIn(message)) {
    const judged = kindOf(sentence);
    const before = isPlain ? undefined : clauses.at(-1);
    const text = before === undefined ? '' : `${before.sentence.text}; ${sentence.text}`;
    if (before === undefined || text.length > joinedCharsMax || !message.includes(text)) {
      clauses.push({ sentence, judged });
      continue;
    }
    const [one, other] = [named(before.judged), named(judged)];
    if (one !== null && other !== null && one.kind !== other.kind) clauses.push({ sentence, judged });
    else {
      const whole = { ...before.sentence, text };
      clauses[clauses.length - 1] = { sentence: whole, judged: one ?? other ?? kindOf(whole) };
    }
  }
  return clauses;
}

function named(judged: Judged<AgentKind> | null): Judged<AgentKind> | null {
  return judged?.kind === 'concluded' ? null : judged;
}

export function agentKindOf({ text, under, box }: Sentence): Judged<AgentKind> | null {
  const headed = under === undefined ? null : judge(under.toLowerCase(), ofAgentLists);
  // What is ticked is done, and an empty box is to be.
  if (headed?.kind === 'next' && box === 'ticked') return { kind: 'concluded', strength: 0 };
  if (headed !== null) return headed;
  if (box === 'open') return { kind: 'next', strength: 5 };
  agent.look(ownWords(text).toLowerCase());
  if (agent.has(narration) && !agent.has(outright)) return null;
  if (agent.has(reported) && !agent.has(turning)) return null;
  const judged = agent.judged();
  if (judged !== null || /\?["')]*$/.test(text)) return judged;
  if (text.split(' ', wordsMin).length < wordsMin) return null;
  return { kind: 'concluded', strength: conclusive((sign) => agent.has(sign)) };
}

/** What was taken back may be said again, and holds then. */
function once(stated: readonly Statement[]): Statement[] {
  const before = new Map<string, Map<string, number>>();
  const repeated = new Set<number>();
  for (const [i, statement] of stated.entries()) {
    const { kind, by, superseded } = statement;
    const known = before.get(kind) ?? new Map<string, number>();
    before.set(kind, known);
    const saying = `${statement.asked ?? ''} ${sayingOf(statement)}`;
    const key = superseded === undefined ? saying : `${saying} ${superseded}`;
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, i);
    else if (by === 'user') repeated.add(i);
    else {
      repeated.add(earlier);
      known.set(key, i);
    }
  }
  return repeated.size === 0 ? [...stated] : stated.filter((_, i) => !repeated.has(i));
}
