/**
 * A contract from what the user said in a session, in the user's own words and with the steps that say it. Nothing is made up: a
 * field that nobody stated is listed as missing, with an example of what would do.
 *
 *   goal          what the first session was opened with, and whatever was later called the goal outright; but a question that
 *                 opened it is only where it began once something was asked for, and the latest request comes first then
 *   acceptance, constraints, non-goals   the sentences that state them, oldest first; not what was taken back
 *   review        whoever is named to review: an agent where the user says so or names a program that is one, and else a person; the
 *                 words that name a person stand among the constraints, for a contract only says that it must be one
 *   validation    tests, builds and checks that ran in the session and change nothing else (`proving.ts`), passed or not, without what
 *                 only shortens or reports their output; never a call that somebody said no to
 *   kind          code or docs, by the files that its edit tools changed
 */
import { sanitize } from '../sanitize.ts';
import { isName, titleFrom } from '../text.ts';
import { limits } from '../limits.ts';
import type { Contract, Validation } from '../contract.ts';
import type { Review } from '../terms.ts';
import type { Story } from '../transcript/story.ts';
import { wordsOf } from './argv.ts';
import { editsIn } from './edits.ts';
import type { StatementKind } from './kinds.ts';
import { isQuestion } from './leaning.ts';
import { goalNotStated } from './not-stated.ts';
import { lastRef, runsIn } from './runs.ts';
import { statementsIn, type Statement } from './statements.ts';
import { chore } from './wish-cues.ts';

export interface Draft {
  readonly contract: Partial<Contract>;
  /** By field that holds words of users: each of them, with the number of its step. */
  readonly quotes: Readonly<Partial<Record<keyof Contract, readonly Quote[]>>>;
  /** By field: the steps it rests on, as evidence names. */
  readonly evidence: Readonly<Partial<Record<keyof Contract, readonly string[]>>>;
  readonly missing: readonly MissingField[];
}

export interface Quote {
  readonly text: string;
  readonly ref: number;
  /** A question that the session began with and went on from. */
  readonly began?: true;
  /** The question of an agent that it answers. */
  readonly asked?: string;
}

const beganWith = 'It began with: ';

/** The words of a user as they stand in a contract: marked as such, with the step that says them. */
export function asQuote({ text, ref, began, asked }: Quote): string {
  const question = asked === undefined ? '' : `Asked “${asked}”: `;
  return `${began === true ? beganWith : question}“${text}” [s${ref}]`;
}

/** Only the words. */
export function unquoted(line: string): string {
  return /^(?:It began with: |Asked “[^”]*”: )?“(.*)” \[s\d+\]$/s.exec(line)?.[1] ?? line;
}

/** Made by rules from what users said, and not written by anybody: a goal that is all quotations. */
export function isDrafted({ goal }: Pick<Contract, 'goal'>): boolean {
  return goal === goalNotStated || goal.split('\n').every((line) => unquoted(line) !== line);
}

export interface MissingField {
  readonly field: keyof Contract;
  readonly why: string;
  readonly example: string;
}

const goalsMax = 3;
/** Said outright to be the goal, not only asked for. */
const outright = 4;
const requested = 2;
/** Asked for in the same breath as what the session was opened with. */
const alongside = 3;
const linesMax = Math.min(40, limits.listItemsMax);
const validationsMax = 5;

/** `steps`: where not all of the story is judged. */
export function statementsOf(story: Story, steps = story.steps): readonly Statement[] {
  return statementsIn(steps, { subagents: subagentsOf(story) });
}

/** `all`: what was stated in it, where that is known already. */
export function draftContract(story: Story, all = statementsOf(story)): Draft {
  const stated = all.filter(({ by, superseded }) => by === 'user' && superseded === undefined);
  const of = (kind: StatementKind): Statement[] => stated.filter((statement) => statement.kind === kind);
  const goals = goalsOf(of('goal'), replacedGoal(all));
  const title = goals[0];
  const reviewer = of('reviewer').findLast(({ text }) => reviewerIn(text) !== null);
  const review = reviewer === undefined ? null : reviewerIn(reviewer.text);
  const proofs = proofsIn(story).slice(-validationsMax);
  const validation = proofs.map(({ command }) => validationOf(command));
  const kind = kindIn(story);
  const rules = stated.filter(
    (one) => one.kind === 'constraint' || (one === reviewer && review?.human === true),
  );
  const lists = { acceptance: of('acceptance'), constraints: rules, nonGoals: of('non-goal') };
  const fields: [keyof Contract, unknown, readonly number[]][] = [
    [
      'title',
      title === undefined ? undefined : titleFrom(title.text),
      title === undefined ? [] : [title.ref],
    ],
    ['goal', quoted(goals), goals.map(({ ref }) => ref)],
    ['kind', kind?.kind, kind?.refs ?? []],
    ...Object.entries(lists).map(([field, found]): [keyof Contract, unknown, number[]] => [
      field as keyof Contract,
      found.length === 0 ? undefined : found.slice(-linesMax).map((one) => quoteOf(one).text),
      found.slice(-linesMax).map(({ ref }) => ref),
    ]),
    ['validation', validation.length === 0 ? undefined : validation, proofs.map(({ ref }) => ref)],
    ['review', review ?? undefined, reviewer === undefined ? [] : [reviewer.ref]],
  ];
  const kept = fields.filter(([, value]) => value !== undefined);
  const said = {
    goal: goals,
    ...Object.fromEntries(Object.entries(lists).map(([field, found]) => [field, found.map(quoteOf)])),
  };
  return {
    contract: Object.fromEntries(kept.map(([field, value]) => [field, value])),
    quotes: Object.fromEntries(
      Object.entries(said)
        .filter(([, found]) => found.length > 0)
        .map(([field, found]) => [field, found.slice(-linesMax)]),
    ),
    evidence: Object.fromEntries(
      kept.map(([field, , refs]) => [field, [...new Set(refs)].map((ref) => `s${ref}`)]),
    ),
    missing: absent.filter(({ field }) => !kept.some(([each]) => each === field)),
  };
}

/** Sessions that an agent started: their user is an agent. */
export function subagentsOf({ sessions }: Pick<Story, 'sessions'>): ReadonlySet<number> {
  return new Set(sessions.flatMap(({ facts }, i) => (facts.parent === null ? [] : [i])));
}

function goalsOf(goals: readonly Statement[], replaced: readonly Quote[]): Quote[] {
  const [first] = goals;
  if (first === undefined) return [...replaced];
  const asked = goals.filter((goal) => goal !== first && !isOnlyAsked(goal));
  const latest = isOnlyAsked(first) ? asked.findLast(isRequested) : undefined;
  const later = asked
    .filter((goal) => goal !== latest && goal.strength >= (goal.ref === first.ref ? alongside : outright))
    .toSorted((a, b) => b.strength - a.strength || b.ref - a.ref)
    .slice(0, goalsMax - (latest === undefined ? 1 : 2))
    .toSorted((a, b) => a.ref - b.ref);
  if (replaced.length > 0 && isOnlyAsked(first) && latest === undefined)
    return [...replaced, { ...quoteOf(first), began: true }];
  const [instead, ...began] = replaced;
  const isInstead = instead?.ref === first.ref && instead.text === quoteOf(first).text;
  if (latest === undefined) return [...[first, ...later].map(quoteOf), ...(isInstead ? began : [])];
  return [...[latest, ...later].map(quoteOf), { ...quoteOf(first), began: true }];
}

/** Where the goal was taken back: what was said in the place of the last one, and that one as where it began. */
function replacedGoal(all: readonly Statement[]): Quote[] {
  const users = all.filter(({ by, pasted }) => by === 'user' && pasted === undefined);
  const back = users.findLast(({ kind, superseded }) => kind === 'goal' && superseded !== undefined);
  const instead = users.find(
    ({ kind, ref, text }) =>
      ref === back?.superseded && inPlace.has(kind) && text.split(' ').length >= wordsMin,
  );
  if (back === undefined || instead === undefined) return [];
  return [quoteOf(instead), { ...quoteOf(back), began: true }];
}

const inPlace: ReadonlySet<StatementKind> = new Set(['goal', 'constraint', 'said']);
/** Shorter sentences take something back and put nothing in its place. */
const wordsMin = 4;

/** A question that opened a session and asks for no work. */
export function isOnlyAsked({ text, strength }: Statement): boolean {
  return isQuestion(text) && strength <= outright;
}

/** More than a chore of the moment. */
function isRequested({ text, strength }: Statement): boolean {
  return strength > requested || (strength === requested && !chore.test(text));
}

/** With the words around it that it leans on. */
export function quoteOf({ lead, text, tail, ref, asked }: Statement): Quote {
  const words = sanitize([lead, text, tail].filter((each) => each !== undefined).join(' '));
  return { text: words, ref, ...(asked === undefined ? {} : { asked }) };
}

function quoted(goals: readonly Quote[]): string | undefined {
  if (goals.length === 0) return undefined;
  return goals.map(({ text, began }) => (began === true ? `${beganWith}${text}` : text)).join('\n');
}

function reviewerIn(text: string): Review | null {
  const agent = agentIn(text);
  if (agent !== null) return { owner: `agent:${agent}` };
  const isNamed =
    /@[\w]/.test(text) ||
    /\b(?:by|from|to|ask|is|be|:|get|past|of|for|with|let|have|only|ping)\s+(?!The\b|A\b|An\b|It\b|This\b)([A-Z][a-z]+)\b(?!\s+[A-Z])/.test(
      text,
    ) ||
    /^(?!The\b|A\b|It\b|This\b|Make\b|Ask\b|Send\b|Get\b|Only\b|Nothing\b|Please\b|Run\b|Have\b|Request\b|Reviewer\b|Merging\b|When\b|Changes\b)([A-Z][a-z]+)\s+(?:will|has|is|must|should|reviews|approves|checks|owns|wants|can)\b/.test(
      text,
    );
  return isNamed ? { human: true } : null;
}

/** "the agent dana", "agent:dana", "a review by Codex". */
function agentIn(text: string): string | null {
  const said = /\b(?:agent(?::| named| called)? ?@?)([\w][\w./-]{0,62})/i.exec(text)?.[1] ?? '';
  const before = /@?([\w][\w./-]{0,62}) agent\b/i.exec(text)?.[1] ?? '';
  const program = programs.exec(text)?.[0].toLowerCase().replace(/\s+/g, '-');
  const name = [said, before]
    .map((word) => word.replace(/[./-]+$/, '').toLowerCase())
    .find((word) => isName(word) && !noNames.has(word));
  return name ?? program ?? null;
}

const programs = /\b(?:claude[- ]code|claude|codex|gemini[- ]cli|gemini|opencode)\b/i;
const noNames: ReadonlySet<string> = new Set(
  'the a an another other second different separate new fresh that this which who is has must should will can reviews review to of for with in by and or from'.split(
    ' ',
  ),
);

/** They ask something as often as they prove it: no is an answer, and not what has to change. */
const asking = /^(?:! )?(?:test|\[|grep|rg|diff|cmp|jq|git)\s/;

/** Each with the step that it ran in last; the one that ran last is last. */
export function proofsIn({ steps, sessions }: Story): { readonly command: string; readonly ref: number }[] {
  const last = new Map<string, number>();
  for (const run of runsIn(steps, (session) => sessions[session]?.facts.folder ?? null)) {
    const { proof, failed } = run;
    const ref = lastRef(run);
    if (proof === null || (asking.test(proof) && failed?.ref === ref)) continue;
    last.delete(proof);
    last.set(proof, ref);
  }
  return [...last].map(([command, ref]) => ({ command, ref }));
}

function validationOf(command: string): Validation {
  const words = wordsOf(command);
  return words === null || words.includes('') ? { run: [command], shell: true } : { run: words };
}

const prose = /\.(?:md|mdx|rst|txt|adoc)$/i;

function kindIn({ steps }: Story): { readonly kind: string; readonly refs: readonly number[] } | null {
  const edits = editsIn(steps);
  const code = edits.find(({ path }) => !prose.test(path));
  const found = code ?? edits[0];
  if (found === undefined) return null;
  return { kind: code === undefined ? 'docs' : 'code', refs: found.refs.slice(0, 1) };
}

const absent: readonly MissingField[] = [
  {
    field: 'goal',
    why: 'No user of the session says what it is for.',
    example: 'The importer has a dry-run mode that writes nothing and prints what it would do.',
  },
  {
    field: 'acceptance',
    why: 'No user of the session says when the result is accepted.',
    example: 'npm test passes, and importing the same file twice adds nothing.',
  },
  {
    field: 'constraints',
    why: 'No user of the session says what must hold on the way.',
    example: 'The public API in src/api.ts does not change.',
  },
  {
    field: 'nonGoals',
    why: 'No user of the session says what is not part of it.',
    example: 'The Windows installer is not part of it.',
  },
  {
    field: 'validation',
    why: 'No test, build or check that changes nothing ran in the session.',
    example: 'npm test',
  },
  {
    field: 'review',
    why: 'No user of the session names a reviewer.',
    example: 'agent:dana',
  },
  {
    field: 'kind',
    why: 'The session changed no file, so nothing shows what kind of work it is.',
    example: 'code',
  },
];
