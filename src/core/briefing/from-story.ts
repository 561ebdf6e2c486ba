/** What the sessions themselves say: statements, the open question, the call under way, the latest failure and the last runs. */
import { aboutToRun } from '../stated/claims.ts';
import { subagentsOf } from '../stated/draft.ts';
import { statementKinds, type StatementKind } from '../stated/kinds.ts';
import { sentencesIn } from '../stated/prose.ts';
import { unansweredQuestion } from '../stated/question.ts';
import { tellingLines, type RunEnd, type SessionRun } from '../stated/runs.ts';
import { statementsIn, type Statement } from '../stated/statements.ts';
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
  concluded: { lateness: 1, strengthMax: 2 },
};
const usually = { lateness: 0.5, strengthMax: 12 };

export function statementItems(story: Story): Item[] {
  const stated = statementsIn(story.steps, { subagents: subagentsOf(story) });
  const { told, rarity } = rarities(stated);
  return statementKinds.flatMap((kind) => {
    if (kind === 'question') return [];
    const all = stated.filter((statement) => statement.kind === kind);
    const holding = all.filter(({ superseded }) => superseded === undefined).map(told);
    const back = all.filter(({ superseded }) => superseded !== undefined);
    return [...inOrder(holding, rarity, weighing[kind] ?? usually), ...back].map((statement): Item => {
      const { text, ref, superseded } = statement;
      return {
        section: sectionOf[kind],
        text: asData(text),
        names: [`s${ref}`],
        place: ref,
        ...(superseded === undefined ? {} : { label: `Taken back in s${superseded}` }),
        ...(isChore(statement) ? { last: true } : {}),
      };
    });
  });
}

/** Pasted, asked for in passing, or asked to be told something: worth a line where there is room. */
function isChore({ kind, text, strength, pasted }: Statement): boolean {
  return (
    pasted === true ||
    (kind === 'goal' && strength <= 1 && chore.test(text)) ||
    (kind === 'said' && (text.endsWith('?') || text.split(' ').length < 4))
  );
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
  const call = aboutToRun(story);
  if (call === null) return [];
  return [
    {
      section: 'next',
      label: 'Was running when it stopped, outcome unknown',
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
    .toSorted((a, b) => Number(b.checks) - Number(a.checks) || lastOf(b) - lastOf(a))
    .map((run) => ({
      section: 'runs',
      text: asCommand(run.command),
      label: outcomes(run),
      names: [run.failed, run.passed]
        .flatMap((end) => (end === null ? [] : [end.ref]))
        .toSorted((a, b) => a - b)
        .map((ref) => `s${ref}`),
      place: lastOf(run),
    }));
}

function lastOf({ failed, passed }: SessionRun): number {
  return Math.max(failed?.ref ?? -1, passed?.ref ?? -1);
}

function outcomes({ failed, passed }: SessionRun): string {
  if (failed === null) return 'passed';
  if (passed === null) return failedWords(failed).toLowerCase();
  return failed.ref > passed.ref ? 'passed, then failed' : 'failed, then passed';
}
