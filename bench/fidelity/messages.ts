/**
 * Whole messages in many registers: terse, chatty, in the English of people who think in another language, in Markdown and lists, with
 * keywords of four other languages. In each the words between « and » state what its list is named for; ordinary messages state
 * nothing. There are four lots:
 *
 *   seen, unseen   written before the rules were last changed, and dealt by a hash of the text. The misses of `seen` were looked at
 *                  one by one, of `unseen` only the totals; but whoever changed the rules had written both. The
 *                  misses of `more-messages.ts` were looked at too, and count as seen
 *   late           written when the rules stood, which recognised 56 of 72 and then 39 of 90; each time the rules were changed with
 *                  them in view afterwards
 *   fresh          written after that; no rule was changed for them
 */
import { createHash } from 'node:crypto';
import { statementsIn, type Statement } from '../../src/core/reasoning/statements.ts';
import type { StoryStep } from '../../src/core/transcript/story.ts';
import { agentMessages } from './agent-messages.ts';
import { freshMessages, freshOrdinary } from './fresh-messages.ts';
import { lateMessages, lateOrdinary } from './late-messages.ts';
import { laterMessages, laterOrdinary } from './later-messages.ts';
import { moreMessages, moreOrdinary } from './more-messages.ts';
import { ordinaryMessages } from './ordinary-messages.ts';
import { byUser, kinds, type Kind } from './phrasings.ts';
import { userMessages } from './user-messages.ts';

export const lots = ['seen', 'unseen', 'late', 'fresh'] as const;
export type Lot = (typeof lots)[number];

export interface Message {
  readonly by: 'user' | 'agent';
  /** What it states; null for ordinary ones. */
  readonly kind: Kind | null;
  readonly text: string;
  /** The words that state it. */
  readonly stated: string;
  readonly lot: Lot;
}

type Lists = Readonly<Record<Kind, readonly string[]>>;
type Ordinary = Readonly<Record<Message['by'], readonly string[]>>;

export const messages: readonly Message[] = [
  ...messagesOf({ ...userMessages, ...agentMessages }, ordinaryMessages, dealt),
  ...messagesOf(moreMessages, moreOrdinary, () => 'seen'),
  ...messagesOf(lateMessages, lateOrdinary, () => 'late'),
  ...messagesOf(laterMessages, laterOrdinary, () => 'late'),
  ...messagesOf(freshMessages, freshOrdinary, () => 'fresh'),
];

function messagesOf(lists: Lists, ordinary: Ordinary, lotOf: (text: string) => Lot): Message[] {
  const of = (marked: string, by: Message['by'], kind: Kind | null): Message => {
    const text = marked.replaceAll(/[«»]/g, '');
    return { by, kind, text, stated: /«([^»]*)»/.exec(marked)?.[1] ?? '', lot: lotOf(text) };
  };
  return [
    ...kinds.flatMap((kind) =>
      lists[kind].map((text) => of(text, byUser.has(kind) ? 'user' : 'agent', kind)),
    ),
    ...(['user', 'agent'] as const).flatMap((by) => ordinary[by].map((text) => of(text, by, null))),
  ];
}

function dealt(text: string): Lot {
  return (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 0 ? 'seen' : 'unseen';
}

/** What the rules make of a message: goals open a session, everything else is said later in one. */
export function statementsOf({ by, kind, text }: Message): Statement[] {
  const step = (ref: number, source: Message['by'], words: string): StoryStep => ({
    id: ref,
    ref,
    session: 0,
    record: ref,
    source,
    at: null,
    text: words,
  });
  const before = kind === 'goal' ? [] : [step(1, 'user', 'Fix the importer.')];
  return statementsIn([...before, step(2, by, text)]).filter(({ ref }) => ref === 2);
}

const lasting: ReadonlySet<string> = new Set(kinds);
/** A goal that is only asked for in passing is no term of a contract; see `draft.ts`. */
const passing = 3;

export function isRecognised(message: Message): boolean {
  return statementsOf(message).some(
    ({ kind, text }) =>
      kind === message.kind && (text.includes(message.stated) || message.stated.includes(text)),
  );
}

/** What an ordinary message is mistaken for. */
export function mistakenFor(message: Message): Statement[] {
  return statementsOf(message).filter(
    ({ kind, strength, pasted }) =>
      pasted !== true && lasting.has(kind) && !(kind === 'goal' && strength <= passing),
  );
}
