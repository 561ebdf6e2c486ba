/**
 * The summary that an agent writes of its own session when it is asked to: statements, each with the steps it rests on. The agent is
 * not believed. Each citation is checked against the record, again wherever it is shown: the steps must be there, and whatever a
 * statement sets in code marks or quotation marks must stand in one of them. What does not hold is kept and marked.
 *
 * It is kept in the summary of a packet's claims, below a heading of its own, one statement a line, as the agent was asked to write it:
 *
 *   ## Summary by the agent itself
 *   - The limiter counts per key, not per address: `keyOf(request)` [s42 s57]
 */
import { sanitizeLine } from '../base/sanitize.ts';
import { cut } from '../base/text.ts';
import type { Json } from '../transcript/step.ts';
import type { Story, StoryStep } from '../transcript/story.ts';

export interface Statement {
  readonly text: string;
  /** The steps it names, by their numbers. */
  readonly cites: readonly number[];
}

export interface CheckedStatement {
  readonly text: string;
  /** The steps it names that are there. */
  readonly steps: readonly string[];
  /** What does not hold, in words; empty where all of it does. */
  readonly amiss: readonly string[];
}

export const statementsMax = 16;
const statementCharsMax = 600;
const citesMax = 8;
/** More than so many statements of the longest kind, with what a program prints around them. */
const answerCharsMax = 64 * 1024;

const heading = '## Summary by the agent itself';
const listMark = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const citation = /\s{0,3}[([]((?:s\d{1,9})(?:[\s,;]{1,3}s\d{1,9}){0,31})[)\]]/g;

/** The statements of an answer: items of a list, and lines that name steps. Whatever else a program or a model prints is none. */
export function readStatements(answer: string): Statement[] {
  const found: Statement[] = [];
  for (const line of answer.slice(0, answerCharsMax).toWellFormed().split('\n')) {
    const statement = statementIn(sanitizeLine(line).trim());
    if (statement !== null) found.push(statement);
    if (found.length === statementsMax) break;
  }
  return found;
}

function statementIn(line: string): Statement | null {
  const cites = [...line.matchAll(citation)].flatMap(([, names = '']) =>
    [...names.matchAll(/\d+/g)].map(([number]) => Number(number)),
  );
  if (cites.length === 0 && !listMark.test(line)) return null;
  const said = line.replace(listMark, '').replaceAll(citation, '').replaceAll(/\s+/g, ' ').trim();
  // A line that only names steps, or only rules one off, says nothing.
  if (!/[\p{L}\p{N}]/u.test(said)) return null;
  const text = said.length <= statementCharsMax ? said : `${cut(said, statementCharsMax).trimEnd()}…`;
  return { text, cites: [...new Set(cites)].slice(0, citesMax) };
}

/** As claims keep it, behind what somebody else said in summary. */
export function withOwnSummary(summary: string | undefined, statements: readonly Statement[]): string {
  const lines = statements.map(
    ({ text, cites }) => `- ${text}${cites.length === 0 ? '' : ` [${cites.map(nameOf).join(' ')}]`}`,
  );
  return [...(summary === undefined ? [] : [summary, '']), heading, ...lines].join('\n');
}

/** What a summary says, and what of it the agent said of its own session. */
export function summaryParts(summary: string | undefined): {
  readonly words: string | null;
  readonly own: readonly Statement[];
} {
  if (summary === undefined) return { words: null, own: [] };
  const lines = summary.split('\n');
  const at = lines.indexOf(heading);
  if (at === -1) return { words: summary, own: [] };
  const words = lines.slice(0, at).join('\n').trim();
  return { words: words === '' ? null : words, own: readStatements(lines.slice(at + 1).join('\n')) };
}

function nameOf(ref: number): string {
  return `s${ref}`;
}

export function checkStatements(
  { steps, repeated = [] }: Pick<Story, 'steps' | 'repeated'>,
  statements: readonly Statement[],
): CheckedStatement[] {
  const cited = new Set(statements.flatMap(({ cites }) => cites));
  const named = Map.groupBy(
    [...steps, ...repeated].filter(({ ref }) => cited.has(ref)),
    ({ ref }) => ref,
  );
  const records = new Map([...named].map(([ref, found]) => [ref, new Recorded(found)]));
  return statements.map(({ text, cites }) => checked(text, cites, records));
}

const shownCharsMax = 60;

function checked(
  text: string,
  cites: readonly number[],
  records: ReadonlyMap<number, Recorded>,
): CheckedStatement {
  const there = cites.filter((ref) => records.has(ref));
  const absent = cites.filter((ref) => !records.has(ref));
  const unfound = quotedIn(text).filter(
    (quoted) => !there.some((ref) => records.get(ref)?.holds(quoted) === true),
  );
  const where = there.map(nameOf).join(', ');
  return {
    text,
    steps: there.map(nameOf),
    amiss: [
      ...(cites.length === 0 ? ['it names no step'] : []),
      ...absent.map((ref) => `there is no step ${nameOf(ref)}`),
      // Where no step is there, nothing can be in it, and that is said already.
      ...(there.length === 0 ? [] : unfound).map(
        (quoted) =>
          `not in ${where}: ${cut(quoted, shownCharsMax)}${quoted.length > shownCharsMax ? '…' : ''}`,
      ),
    ],
  };
}

/** What a statement sets in code marks or quotation marks. Dots stand for what it leaves out. */
function quotedIn(text: string): string[] {
  const found = [...text.matchAll(/`([^`]{1,600})`|“([^”]{1,600})”|"([^"]{1,600})"/g)];
  return found
    .flatMap(([, code, curly, straight]) =>
      code === undefined ? (curly ?? straight ?? '').replace(/[.,;:!?]$/, '').split(/…|\.{3}/) : [code],
    )
    .map((quoted) => quoted.trim())
    .filter((quoted) => quoted !== '');
}

/** Of a step: what stands on one line in a statement may stand on several there. Longer texts are searched as they are. */
const evenedCharsMax = 1024 * 1024;

class Recorded {
  readonly #texts: readonly string[];
  #evened: string | undefined;

  constructor(steps: readonly StoryStep[]) {
    this.#texts = steps.flatMap(textsOf);
  }

  holds(quoted: string): boolean {
    if (this.#texts.some((text) => text.includes(quoted))) return true;
    this.#evened ??= evened(this.#texts.join('\n').slice(0, evenedCharsMax));
    return this.#evened.includes(evened(quoted));
  }
}

function evened(text: string): string {
  return sanitizeLine(text.toWellFormed()).replaceAll(/\s+/g, ' ');
}

function textsOf({ text, given, reasoning, calls = [], results = [] }: StoryStep): string[] {
  return [
    given?.text ?? text,
    ...(reasoning === undefined ? [] : [reasoning]),
    ...calls.flatMap(({ tool, args, raw }) => [tool, ...(raw === undefined ? leavesOf(args) : [raw])]),
    ...results.map((result) => result.text),
  ];
}

/** The values of a call's arguments in their order, as they were meant and not as JSON writes them. */
export function* leavesOf(value: Json): Generator<string> {
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).toReversed());
    else if (next !== null) yield String(next);
  }
}
