/** What the sessions themselves say: statements, the open question, the call under way, the latest failure and the last runs. */
import { stoppedIn, wasRunning } from '../stated/claims.ts';
import { subagentsOf } from '../stated/draft.ts';
import { statementKinds, type StatementKind } from '../stated/kinds.ts';
import { outrightNext, pastNexts } from '../stated/next.ts';
import { planIn } from '../stated/plan.ts';
import { messageIn, sentencesIn, type Sentence } from '../stated/prose.ts';
import { unansweredQuestion } from '../stated/question.ts';
import { withReplies } from '../stated/replies.ts';
import { lastRef, tellingLines, type RunEnd, type SessionRun } from '../stated/runs.ts';
import { statementsIn, userKindOf, type Statement } from '../stated/statements.ts';
import { turningPoints, type Turn } from '../stated/turning-points.ts';
import { smallTalk } from '../stated/user-cues.ts';
import { chore } from '../stated/wish-cues.ts';
import type { Story } from '../transcript/story.ts';
import { asCommand, asData, type Item } from './item.ts';
import { inOrder, rarities } from './novelty.ts';
import type { SectionName } from './section.ts';

const sectionOf: Readonly<Record<Exclude<StatementKind, 'question'>, SectionName>> = {
  goal: 'goals',
  acceptance: 'acceptance',
  constraint: 'constraints',
  'non-goal': 'nonGoals',
  reviewer: 'reviewers',
  preference: 'preferences',
  said: 'said',
  'dead-end': 'deadEnds',
  decision: 'decisions',
  blocker: 'blockers',
  next: 'next',
  concluded: 'concluded',
};

/** Of blockers and next steps the last one counts, if it was said outright; of the others, how outright it was. */
const weighing: Readonly<Partial<Record<StatementKind, Parameters<typeof inOrder>[2]>>> = {
  blocker: { lateness: 4, strengthMax: 5 },
  next: { lateness: 4, strengthMax: 6 },
  concluded: { lateness: 1, strengthMax: 7 },
};
const usually = { lateness: 0.5, strengthMax: 12 };

/** How much more a statement of an agent weighs where the course turned: what was done there speaks for it. */
const turnWeights: Readonly<Partial<Record<StatementKind, Readonly<Record<Turn, number>>>>> = {
  'dead-end': { undone: 4, retried: 2, stuck: 1, stopped: 1 },
  decision: { undone: 3, retried: 2, stuck: 0, stopped: 1 },
  blocker: { undone: 0, retried: 0, stuck: 2, stopped: 2 },
  next: { undone: 0, retried: 0, stuck: 1, stopped: 2 },
  concluded: { undone: 5, retried: 4, stuck: 3, stopped: 1 },
};

/** Where an agent stopped last, it told how things stand. */
const reportsMax = 3;
const lastReport = 2;

export function statementItems(story: Story): Item[] {
  const stated = statementsIn(story.steps, { subagents: subagentsOf(story) });
  const turned = turningPoints(story.steps);
  const stops = [...turned].flatMap(([ref, turn]) => (turn === 'stopped' ? [ref] : []));
  const reports = new Set(stops.toSorted((a, b) => b - a).slice(0, reportsMax));
  const bonus = ({ kind, ref }: Statement): number => {
    const turn = turned.get(ref);
    return turn === undefined ? 0 : (turnWeights[kind]?.[turn] ?? 0) + (reports.has(ref) ? lastReport : 0);
  };
  const past = pastNexts(stated, story.steps);
  const sectionFor = (statement: Statement): SectionName => {
    const { kind, ref, pasted } = statement;
    if (pasted === true) return 'pasted';
    if (past.has(statement)) return 'concluded';
    const turn = turned.get(ref);
    if (kind === 'concluded' && turn !== undefined && (turn !== 'stopped' || reports.has(ref)))
      return 'turned';
    return kind === 'question' ? 'concluded' : sectionOf[kind];
  };
  const { told, rarity } = rarities(stated);
  return statementKinds.flatMap((kind) => {
    if (kind === 'question') return [];
    const all = stated.filter((statement) => statement.kind === kind);
    const holding = all.filter(({ superseded }) => superseded === undefined).map(told);
    const back = all.filter(({ superseded }) => superseded !== undefined);
    const ordered = inOrder(holding, rarity, weighing[kind] ?? usually, bonus);
    return [...firstOf(kind, ordered), ...back].map((statement): Item => {
      const { text, ref, superseded, asked } = statement;
      return {
        section: sectionFor(statement),
        text: asData(text),
        names: [`s${ref}`],
        place: ref,
        ...(superseded === undefined ? answerTo(asked) : { label: `Taken back in s${superseded}` }),
        ...(isChore(statement) || past.has(statement) ? { last: true } : {}),
      };
    });
  });
}

/** Without its question an answer may say nothing. */
function answerTo(asked = ''): Pick<Item, 'label' | 'isAnswer'> {
  return asked === '' ? {} : { label: `Asked “${asData(asked)}”`, isAnswer: true };
}

/**
 * What stands first of a kind whatever its words weigh: of blockers and next steps the latest that was said outright; and of what
 * users said without any sign, in turns, what was said last, what was said first and what has the rarest words.
 */
function firstOf(kind: StatementKind, ordered: readonly Statement[]): readonly Statement[] {
  if (kind === 'said') return inTurns(ordered);
  if (kind !== 'blocker' && kind !== 'next') return ordered;
  const late = ordered.toSorted((a, b) => a.ref - b.ref);
  const latest = late.findLast(({ strength }) => strength >= outrightNext) ?? late.at(-1);
  return latest === undefined ? ordered : [latest, ...ordered.filter((one) => one !== latest)];
}

function inTurns(rarest: readonly Statement[]): Statement[] {
  const early = rarest.toSorted((a, b) => a.ref - b.ref);
  const lists = [early.toReversed(), rarest, early, rarest];
  const at = lists.map(() => 0);
  const taken = new Set<Statement>();
  while (taken.size < rarest.length)
    for (const [i, list] of lists.entries()) {
      while (at[i] !== undefined && at[i] < list.length && taken.has(list[at[i]] as Statement)) at[i] += 1;
      const one = list[at[i] ?? 0];
      if (one !== undefined) taken.add(one);
    }
  return [...taken];
}

/** Pasted, asked for in passing, or asked to be told something: worth a line where there is room. */
function isChore({ kind, text, strength, pasted }: Statement): boolean {
  return (
    pasted === true ||
    (kind === 'goal' && strength <= 1 && chore.test(text)) ||
    (kind === 'said' && (text.endsWith('?') || text.split(' ').length < 4))
  );
}

/** The agent's own list of what is to be done, as it stood last. */
export function planItems(story: Story): Item[] {
  const plan = planIn(story);
  if (plan === null) return [];
  const line = { section: 'next', names: [`s${plan.ref}`], place: plan.ref } as const;
  return [
    ...plan.doing.map((text) => ({ ...line, label: 'Plan, under way', text: asData(text) })),
    ...plan.open.map((text) => ({ ...line, label: 'Plan, open', text: asData(text) })),
  ];
}

const lastMessageMax = 12;

/** What the last message of a user says, but for what stands under a heading of its own. */
export function lastMessage({ steps, sessions }: Story): Item[] {
  const last = withReplies(steps).findLast(
    ({ source, text, aside, session }) =>
      source === 'user' &&
      (aside === undefined || aside === 'compacted') &&
      (sessions[session]?.facts.parent ?? null) === null &&
      messageIn(text).some((sentence) => isWorthTelling(sentence)),
  );
  if (last === undefined) return [];
  return messageIn(last.text)
    .filter((sentence) => isWorthTelling(sentence) && !isLasting(sentence))
    .slice(0, lastMessageMax)
    .map(({ text }, place) => ({
      section: 'lastMessage',
      text: asData(text),
      names: [`s${last.ref}`],
      place,
      ...(place === 0 ? answerTo(last.asked) : {}),
    }));
}

function isWorthTelling({ text, pasted }: Sentence): boolean {
  return pasted === undefined && !smallTalk.test(text) && /\p{L}{2}/u.test(text);
}

function isLasting(sentence: Sentence): boolean {
  const judged = userKindOf(sentence);
  return judged !== null && !(judged.kind === 'goal' && judged.strength <= 1 && chore.test(sentence.text));
}

/** What was told in a user's name where nobody here vouches for it, latest first. */
export function givenItems({ steps }: Story): Item[] {
  return steps
    .flatMap(({ given, ref, aside }): Item[] =>
      given?.by !== 'user' || aside === 'rewritten'
        ? []
        : [{ section: 'given', label: given.from, text: asData(given.text), names: [`s${ref}`], place: ref }],
    )
    .toReversed();
}

export function questionItems(story: Story): Item[] {
  const question = unansweredQuestion(story);
  if (question === null) return [];
  return [
    {
      section: 'question',
      label: 'The previous agent asked',
      text: asData(question.text),
      names: [`s${question.ref}`],
      place: 0,
    },
  ];
}

/** Where it stopped: what the last message says, from its end. */
export function lastWords({ steps, sessions }: Story): Item[] {
  const last = steps.findLast(
    ({ source, text, aside, session }) =>
      source === 'agent' &&
      text !== '' &&
      aside === undefined &&
      (sessions[session]?.facts.parent ?? null) === null,
  );
  if (last === undefined) return [];
  return sentencesIn(last.text)
    .slice(-lastWordsMax)
    .map(({ text }, place) => ({ section: 'lastWords', text: asData(text), names: [`s${last.ref}`], place }));
}

const lastWordsMax = 12;

export function underWay(story: Story): Item[] {
  const call = stoppedIn(story);
  if (call === null) return [];
  return [
    {
      section: 'next',
      label: wasRunning,
      text: asCommand(call.text),
      names: call.ref === null ? [] : [`s${call.ref}`],
      place: -1,
    },
  ];
}

/** The newest failure that no later run of the same command has made good. */
export function failureItems(runs: readonly SessionRun[]): Item[] {
  const open = runs.filter(({ failed, passed }) => failed !== null && failed.ref > (passed?.ref ?? -1));
  const newest = open.toSorted((a, b) => (b.failed?.ref ?? 0) - (a.failed?.ref ?? 0))[0];
  const end = newest?.failed;
  if (newest === undefined || end === undefined || end === null) return [];
  const name = `s${end.ref}`;
  const line = { section: 'failure', names: [name] } as const;
  return [
    { ...line, label: failedWords(end), text: asCommand(newest.command), place: 0 },
    ...tellingLines(end.output).map((text, i) => ({ ...line, text: asData(text), place: i + 1 })),
  ];
}

function failedWords({ exit }: RunEnd): string {
  return exit === null ? 'Failed' : `Failed with exit code ${exit}`;
}

/** Checks first, then whatever ran last. */
export function runItems(runs: readonly SessionRun[]): Item[] {
  return runs
    .toSorted((a, b) => Number(b.checks) - Number(a.checks) || lastRef(b) - lastRef(a))
    .map((run) => ({
      section: 'runs',
      text: asCommand(run.command),
      label: outcomes(run),
      names: [run.failed, run.passed, run.ran]
        .flatMap((end) => (end === null ? [] : [end.ref]))
        .toSorted((a, b) => a - b)
        .map((ref) => `s${ref}`),
      place: lastRef(run),
    }));
}

/** In the order in which they came. */
function outcomes({ failed, passed, ran }: SessionRun): string {
  const ends = [
    ...(failed === null ? [] : [{ ref: failed.ref, words: 'failed' }]),
    ...(passed === null ? [] : [{ ref: passed.ref, words: 'passed' }]),
    ...(ran === null ? [] : [{ ref: ran.ref, words: 'ran' }]),
  ];
  if (failed !== null && ends.length === 1) return failedWords(failed).toLowerCase();
  return ends
    .toSorted((a, b) => a.ref - b.ref)
    .map(({ words }) => words)
    .join(', then ');
}
