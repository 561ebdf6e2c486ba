/** What a session itself says of its task: a contract in the user's own words, and what the agent in it found out. */
import { goalNotStated } from '../core/stated/not-stated.ts';
import type { Claims } from '../core/packet.ts';
import { sanitize } from '../core/sanitize.ts';
import { draftClaims } from '../core/stated/claims.ts';
import { isDenied } from '../core/stated/denied.ts';
import { asQuote, draftContract, statementsOf, type Draft, type Quote } from '../core/stated/draft.ts';
import { agentsInHurry, usersInHurry } from '../core/stated/hurry.ts';
import { messageIn } from '../core/stated/prose.ts';
import type { Statement } from '../core/stated/statements.ts';
import { titleFrom } from '../core/text.ts';
import type { Story } from '../core/transcript/story.ts';
import type { ContractInput } from './open.ts';

export interface SessionDraft {
  /** Words of users are quoted in it, each with the step that says them. */
  readonly contract: ContractInput;
  /** By field: the steps it rests on. */
  readonly evidence: Draft['evidence'];
  readonly claims: Claims;
}

export function draftOf(story: Story): SessionDraft {
  const all = statementsOf(story);
  return { ...contractOf(story, all), claims: draftClaims(story, all) };
}

/** Judged only when asked for: a session that has a task needs no contract. */
export interface HurriedDraft {
  readonly contract: () => ContractInput;
  readonly claims: () => Claims;
}

/** For whoever acts without being asked, and has to be done soon: what is judged of it is in `hurry.ts`. */
export function hurriedDraftOf(story: Story): HurriedDraft {
  return {
    contract: () => contractOf(story, statementsOf(story, usersInHurry(story))).contract,
    claims: () => draftClaims(story, statementsOf(story, agentsInHurry(story))),
  };
}

function contractOf(story: Story, all: readonly Statement[]): Omit<SessionDraft, 'claims'> {
  const { contract, quotes, evidence } = draftContract(story, all);
  const isTakenBack = all.some(({ kind, superseded }) => kind === 'goal' && superseded !== undefined);
  const first = isTakenBack ? null : firstWords(story);
  const goals = quotes.goal ?? (first === null ? [] : [first]);
  const constraints = quotes.constraints?.filter(
    ({ text }) => !goals.some((goal) => goal.text.endsWith(text)),
  );
  const { constraints: _unquoted, ...rest } = contract;
  const title = goals[0] === undefined ? goalNotStated : goals[0].text;
  return {
    contract: {
      ...rest,
      title: titleFrom(title),
      goal: goals.length === 0 ? goalNotStated : goals.map(asQuote).join('\n'),
      ...quoted('acceptance', quotes.acceptance),
      ...quoted('constraints', constraints),
      ...quoted('nonGoals', quotes.nonGoals),
    },
    evidence: goals.length === 0 ? evidence : { ...evidence, goal: goals.map(({ ref }) => `s${ref}`) },
  };
}

function quoted(field: string, quotes: readonly Quote[] = []): Readonly<Record<string, string[]>> {
  return quotes.length === 0 ? {} : { [field]: quotes.map(asQuote) };
}

/** What the session was opened with, where nothing in it is called a goal. */
function firstWords({ steps }: Story): Quote | null {
  const first = steps.find(({ source, text }) => source === 'user' && text.trim() !== '');
  const sentence =
    first === undefined
      ? undefined
      : messageIn(first.text).find(({ text, pasted }) => pasted !== true && !isDenied(text));
  return first === undefined || sentence === undefined
    ? null
    : { text: sanitize(sentence.text), ref: first.ref };
}
