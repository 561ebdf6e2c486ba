/**
 * A contract and claims for a session that left none. They quote and do not classify:
 *
 *   goal          the latest message of a user that says something by itself; beside it the first one, and what was said last
 *   acceptance, constraints, non-goals   what a user set under such a heading; answers to questions that an agent put with a tool about
 *                 that goal are constraints. Nothing else is: where nobody stated when it is accepted, a person looks at it
 *   validation    checks that passed after the last edit, when they ran last, and change nothing else (`proving.ts`)
 *   kind          code or docs, by the files that its edit tools changed
 *   next          the last order of a user
 *   in progress, remaining   the task list of the agent, as it was left
 *
 * What nobody stated and the tool put there says so in its own words (`byDefault`).
 */
import { filled } from '../base/defined.ts';
import type { Contract, Validation } from '../contract/contract.ts';
import { limits } from '../base/limits.ts';
import type { Claims } from '../packet/packet.ts';
import { placeholdersIn } from '../redact/placeholder.ts';
import { sanitize } from '../base/sanitize.ts';
import { cut, titleFrom } from '../base/text.ts';
import type { Story } from '../transcript/story.ts';
import { splitWords } from './proofs/argv.ts';
import { editsIn } from './edits.ts';
import { statedFields, statedIn, type StatedField } from './headings.ts';
import { isShort, latestRequest, messagesIn, turnsIn, type UserMessage } from './messages.ts';
import { unansweredQuestion } from './pending.ts';
import { runningClaim, runningIn } from './running.ts';
import { isUndone, lastRef, runsIn } from './proofs/runs.ts';
import { taskListIn } from './task-list.ts';

/** What stands for a goal in a contract that was drafted from a session without one. */
export const goalNotStated = 'The session does not say what it was for: ask the one who started it.';

/** The gate where no user stated one. */
const looks = 'A person looks at it.';
export const personLooks = `${looks} (The tool put this here: no user stated when it is accepted.)`;

export interface Draft {
  readonly contract: Pick<Contract, 'title' | 'goal'> & Partial<Contract>;
  /** The goal is something that was asked for in what came since. */
  readonly isNew: boolean;
  /** By field: the steps it rests on, as evidence names. */
  readonly evidence: Readonly<Partial<Record<keyof Contract, readonly string[]>>>;
}

export interface Quote {
  readonly text: string;
  readonly ref: number;
  /** Where the session began, and went on from; or what was said last, and may take back all of it. */
  readonly as?: keyof typeof openings;
  /** The question of an agent that it answers. */
  readonly asked?: string;
}

const openings = { first: 'It began with: ', last: 'Said last: ' };

/** The words of a user as they stand in a contract: marked as such, with the step that says them. */
function asQuote({ text, ref, as, asked }: Quote): string {
  const question = asked === undefined ? '' : `Asked “${asked}”: `;
  return `${as === undefined ? question : openings[as]}“${text}” [s${ref}]`;
}

/** It answers a question, and is told with the words of users. */
export function isAnswer(line: string): boolean {
  return /^Asked “[^”]*”: “.*” \[s\d+\]$/s.test(line);
}

/** Only the words. */
export function quotedWords(line: string): string {
  return /^(?:It began with: |Said last: |Asked “[^”]*”: )?“(.*)” \[s\d+\]$/s.exec(line)?.[1] ?? line;
}

/** Made by the tool from what users said, and not written by anybody: a goal that is all quotations. */
export function isDrafted({ goal }: Pick<Contract, 'goal'>): boolean {
  return goal === goalNotStated || goal.split('\n').every((line) => quotedWords(line) !== line);
}

const latestCharsMax = 2000;
const firstCharsMax = 600;
const termCharsMax = 600;
const linesMax = Math.min(40, limits.listItemsMax);
const validationsMax = 3;

/** `since`: the part of it that is about the work at hand, where the session gave work away before. */
export function draftContract(story: Story, since = story): Draft {
  const messages = messagesIn(turnsIn(story));
  const asked = latestRequest(messagesIn(turnsIn(since)).filter((message) => !isShort(message)));
  const goals = goalsIn(messages, asked ?? latestRequest(messages));
  const terms = termsIn(messages, goals[0]?.ref ?? 0);
  const proofs = passedProofs(story).slice(-validationsMax);
  const kind = kindIn(story);
  const isAccepted = terms.acceptance.length > 0;
  return {
    contract: {
      title: titleOf(goals),
      goal: goals.length === 0 ? goalNotStated : goals.map(asQuote).join('\n'),
      ...(kind === null ? {} : { kind: kind.kind }),
      acceptance: isAccepted ? terms.acceptance.map(asQuote) : [personLooks],
      ...listed('constraints', terms.constraints),
      ...listed('nonGoals', terms.nonGoals),
      ...(proofs.length === 0 ? {} : { validation: proofs.map(({ command }) => validationOf(command)) }),
      ...(isAccepted ? {} : { review: { human: true } }),
    },
    isNew: asked !== undefined,
    evidence: namedBy([
      ['title', goals.slice(0, 1)],
      ['goal', goals],
      ['kind', (kind?.refs ?? []).map((ref) => ({ ref }))],
      ...statedFields.map((field) => [field, terms[field]] as const),
      ['validation', proofs],
    ]),
  };
}

function listed(field: StatedField, quotes: readonly Quote[]): Partial<Contract> {
  return quotes.length === 0 ? {} : { [field]: quotes.map(asQuote) };
}

function namedBy(
  fields: readonly (readonly [keyof Contract, readonly { readonly ref: number }[]])[],
): Draft['evidence'] {
  return Object.fromEntries(
    fields
      .filter(([, found]) => found.length > 0)
      .map(([field, found]) => [field, [...new Set(found.map(({ ref }) => `s${ref}`))]]),
  );
}

/** What is wanted now, where it began, and what was said last: a few words can take back everything before them. */
function goalsIn(messages: readonly UserMessage[], latest: UserMessage | undefined): Quote[] {
  if (latest === undefined) return [];
  const own = messages.filter((message) => message.asked === undefined);
  const first = own.find((message) => !isShort(message));
  const last = own.at(-1);
  return [
    { text: oneLine(latest.text, latestCharsMax), ref: latest.ref },
    ...(first === undefined || first.ref >= latest.ref
      ? []
      : [{ text: oneLine(first.text, firstCharsMax), ref: first.ref, as: 'first' } as const]),
    ...(last === undefined || last.ref <= latest.ref
      ? []
      : [{ text: oneLine(last.text, firstCharsMax), ref: last.ref, as: 'last' } as const]),
  ];
}

const titleCharsMax = 110;

function titleOf(goals: readonly Quote[]): string {
  const latest = goals[0]?.text ?? goalNotStated;
  const last = goals.find(({ as }) => as === 'last');
  if (last === undefined) return titleFrom(latest);
  const about = latest.length <= titleCharsMax ? latest : `${cut(latest, titleCharsMax).trimEnd()}…`;
  return titleFrom(`${about} – said last: ${last.text}`);
}

/** What users set under headings, and what they answered to questions since. The newest count where there are too many. */
function termsIn(
  messages: readonly UserMessage[],
  since: number,
): Readonly<Record<StatedField, readonly Quote[]>> {
  const found: Record<StatedField, Quote[]> = { acceptance: [], constraints: [], nonGoals: [] };
  for (const { text, ref, asked } of messages) {
    if (asked !== undefined) {
      if (asked === '' || ref < since) continue;
      found.constraints.push({ text: oneLine(text, termCharsMax), ref, asked });
    } else
      for (const term of statedIn(text))
        found[term.field].push({ text: oneLine(term.text, termCharsMax), ref });
  }
  return {
    acceptance: found.acceptance.slice(-linesMax),
    constraints: found.constraints.slice(-linesMax),
    nonGoals: found.nonGoals.slice(-linesMax),
  };
}

/** On one line and without our own quotation marks, so that it can stand in them. */
function oneLine(text: string, charsMax: number): string {
  const line = sanitize(text.slice(0, 2 * charsMax))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[“”]/g, '"')
    .trim();
  return line.length <= charsMax ? line : `${cut(line, charsMax).trimEnd()}…`;
}

export function draftClaims(story: Story): Claims {
  const running = runningIn(story);
  const list = taskListIn(story);
  const of = (status: 'doing' | 'open'): { text: string; evidence: string[] }[] =>
    (list?.tasks ?? [])
      .filter((task) => task.status === status)
      .slice(0, linesMax)
      .map(({ text }) => ({ text: cut(text, termCharsMax), evidence: [`s${list?.ref ?? 0}`] }));
  const doing = [...(running === null ? [] : [runningClaim(running)]), ...of('doing')];
  const remaining = of('open');
  const question = unansweredQuestion(story);
  const next = nextIn(messagesIn(turnsIn(story)));
  return {
    ...(question === null
      ? {}
      : { questions: [{ text: question.text, owner: 'human' as const, evidence: [`s${question.ref}`] }] }),
    ...filled({ doing, remaining, next }),
  };
}

const byDefault = 'Nobody named a next step; the last order of a user stands: ';

/** The last order, with the end of what it answers where it says little by itself. */
function nextIn(messages: readonly UserMessage[]): string | null {
  const last = messages.at(-1);
  if (last === undefined) return null;
  const said = asQuote({ text: oneLine(last.text, termCharsMax), ref: last.ref });
  const { before } = last;
  const answered = last.asked ?? (before === null || !isShort(last) ? '' : endOf(before.text));
  return `${byDefault}${said}${answered === '' ? '' : `, in answer to “${oneLine(answered, termCharsMax)}”`}`;
}

/** Whether the tool put it there. */
export function isNextByDefault(next: string | undefined): boolean {
  return next?.startsWith(byDefault) === true;
}

/** Only the order, of a next step that the tool put there. */
export function orderIn(next: string): string {
  return isNextByDefault(next) ? next.slice(byDefault.length) : next;
}

/** Only what is to be done, of the gate that the tool put there. */
export function gateIn(criterion: string): string {
  return criterion === personLooks ? looks : criterion;
}

const endChars = 200;

/** The end of a text, from the beginning of a word. */
export function endOf(text: string, chars = endChars): string {
  const line = text
    .slice(-2 * chars)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= chars) return text.length > 2 * chars ? `…${line}` : line;
  const tail = line.slice(-chars);
  return `…${tail.slice(tail.indexOf(' ') + 1)}`.toWellFormed();
}

/** They ask something as often as they prove it: no is an answer, and not what has to change. */
const asking = /^(?:! )?(?:test|\[|grep|rg|diff|cmp|jq|git)\s/;

/** Checks that passed when they ran last, after the last edit, each with that step; the one that ran last is last. */
export function passedProofs({
  steps,
  sessions,
}: Story): { readonly command: string; readonly ref: number }[] {
  const last = new Map<string, { readonly ref: number; readonly passed: boolean }>();
  const runs = runsIn(steps, (session) => sessions[session]?.facts.folder ?? null);
  for (const run of runs) {
    const ref = lastRef(run);
    if (run.proof === null || asking.test(run.proof)) continue;
    if (ref < (last.get(run.proof)?.ref ?? -1)) continue;
    last.delete(run.proof);
    last.set(run.proof, { ref, passed: run.passed?.ref === ref && !isUndone(run.commands, ref, runs) });
  }
  const edited = Math.max(0, ...editsIn(steps).map(({ refs }) => refs.at(-1) ?? 0));
  return [...last].flatMap(([command, { ref, passed }]) =>
    // Without its secret it would be another command.
    passed && ref >= edited && placeholdersIn(command).length === 0 ? [{ command, ref }] : [],
  );
}

function validationOf(command: string): Validation {
  const words = splitWords(command);
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
