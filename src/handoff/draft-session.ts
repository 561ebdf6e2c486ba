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
import { runFrom } from '../core/work-folder.ts';
import type { Story } from '../core/transcript/story.ts';
import { besideOthers, earlierGoals, laterGoals, withAgreed } from './draft-later.ts';
import type { ContractInput } from './open.ts';
import type { Earlier } from './same-session.ts';

export interface SessionDraft {
  /** Words of users are quoted in it, each with the step that says them. */
  readonly contract: ContractInput;
  /** By field: the steps it rests on. */
  readonly evidence: Draft['evidence'];
  readonly claims: Claims;
}

export interface Around {
  /** Where the session gave work away before, and the story is what came after. */
  readonly earlier?: Earlier;
  /** The folder of the workspace that it worked in, where that is not the root. */
  readonly within?: string;
}

export function draftOf(story: Story, { earlier, within }: Around = {}): SessionDraft {
  const said = statementsOf(story);
  const drafted =
    earlier === undefined
      ? contractOf(story, said, { within })
      : laterContract(earlier, { work: story, said, all: statementsOf(earlier.whole), within });
  return { ...drafted, claims: draftClaims(story, said) };
}

/** Judged only when asked for: a session that has a task needs no contract. */
export interface HurriedDraft {
  readonly contract: () => ContractInput;
  readonly claims: () => Claims;
}

/** For whoever acts without being asked, and has to be done soon: what is judged of it is in `hurry.ts`. */
export function hurriedDraftOf(story: Story, { earlier, within }: Around = {}): HurriedDraft {
  return {
    contract: () =>
      earlier === undefined
        ? contractOf(story, inHurry(story), { within }).contract
        : laterContract(earlier, { work: story, said: inHurry(story), all: inHurry(earlier.whole), within })
            .contract,
    claims: () => draftClaims(story, statementsOf(story, agentsInHurry(story))),
  };
}

function inHurry(story: Story): readonly Statement[] {
  return statementsOf(story, usersInHurry(story));
}

interface Later {
  readonly work: Story;
  /** What was stated in it, judged by itself. */
  readonly said: readonly Statement[];
  /** What was stated in the whole session. */
  readonly all: readonly Statement[];
  readonly within: string | undefined;
}

/** Under the rules of the whole session. */
function laterContract(earlier: Earlier, { work, said, all, within }: Later): Omit<SessionDraft, 'claims'> {
  const asked = laterGoals(work, said, all);
  const goals = asked.length > 0 ? asked : earlierGoals(earlier);
  const { contract, evidence } = contractOf(earlier.whole, all, { asked: goals ?? undefined, within });
  const agreed = asked.length > 0 ? contract : withAgreed(contract, earlier);
  const { goal: _goal, title: _title, ...others } = evidence;
  return {
    contract: besideOthers(agreed, earlier),
    // What people wrote rests on no step.
    evidence: agreed.goal === contract.goal ? evidence : others,
  };
}

interface Drafting {
  /** The goals, where they are not those that the story states first. */
  readonly asked?: readonly Quote[] | undefined;
  readonly within: string | undefined;
}

function contractOf(
  story: Story,
  all: readonly Statement[],
  { asked, within }: Drafting,
): Omit<SessionDraft, 'claims'> {
  const { contract, quotes, evidence } = draftContract(story, all);
  const isTakenBack = all.some(({ kind, superseded }) => kind === 'goal' && superseded !== undefined);
  const first = isTakenBack ? null : firstWords(story);
  const goals = asked ?? quotes.goal ?? (first === null ? [] : [first]);
  const constraints = quotes.constraints?.filter(
    ({ text }) => !goals.some((goal) => goal.text.endsWith(text)),
  );
  const { constraints: _unquoted, validation, ...rest } = contract;
  const title = goals[0] === undefined ? goalNotStated : goals[0].text;
  return {
    contract: {
      ...rest,
      ...(validation === undefined ? {} : { validation: validation.map((one) => runFrom(within, one)) }),
      title: titleFrom(title),
      goal: goals.length === 0 ? goalNotStated : goals.map(asQuote).join('\n'),
      ...quoted('acceptance', quotes.acceptance),
      ...quoted('constraints', constraints),
      ...quoted('nonGoals', quotes.nonGoals),
    },
    evidence:
      goals[0] === undefined
        ? evidence
        : {
            ...evidence,
            ...(asked === undefined ? {} : { title: [`s${goals[0].ref}`] }),
            goal: goals.map(({ ref }) => `s${ref}`),
          },
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
