/**
 * The headings of HANDOFF.md, as the tool writes them and as people do. A line belongs to the nearest heading above it:
 *
 *   - a heading of claims, by any of its words ("Done", "Completed", "What's left"), of any level, underlined, in bold or with a colon
 *   - a part that the tool writes and does not read back ("Contract", "Facts")
 *   - any other heading: below claims it divides them, elsewhere nobody knows what it means
 *
 * What the tool writes of claims is indented, but for the marks of a list: no claim can be taken for a heading.
 */
import { withoutEnd } from '../base/without-end.ts';
export const headings = {
  summary: 'Summary',
  done: 'Done',
  doing: 'In progress',
  remaining: 'Remaining',
  decisions: 'Decisions',
  failed: 'Ruled out',
  blockers: 'Blockers',
  questions: 'Questions',
  next: 'Next action',
  command: 'About to run',
} as const;
export type Section = keyof typeof headings;
/** `steps` is only read: the first of them is the next action, if nothing else is. */
export type ReadSection = Section | 'steps';

const synonyms: Readonly<Record<ReadSection, string>> = {
  summary:
    'summary, overview, status, current status, state, current state, where we are, where things stand, context, background, tldr, tl dr',
  done: 'done, done so far, completed, completed so far, completed work, completed tasks, complete, finished, accomplished, accomplishments, implemented, work done, work completed, what was done, what is done, whats done, what i did, what we did, what i have done, what has been done',
  doing:
    'in progress, currently in progress, work in progress, wip, doing, ongoing, under way, underway, current work, currently, started, half done, partly done',
  remaining:
    'remaining, remaining work, remaining tasks, remaining steps, todo, todos, to do, to dos, to be done, left, left to do, work left, whats left, what is left, what remains, what is missing, whats missing, missing, still to do, still open, outstanding, outstanding work, not done, not done yet, not yet done, pending, open tasks, backlog, later, future work',
  decisions:
    'decisions, decision, decided, decisions made, decisions taken, key decisions, design decisions, choices, choices made, what was decided, what we decided',
  failed:
    'ruled out, dead ends, dead end, tried, already tried, tried and failed, tried and ruled out, what was tried, what i tried, what we tried, attempts, failed attempts, failed approaches, approaches tried, failed, what failed, what did not work, what didnt work, did not work, didnt work, does not work, rejected approaches, abandoned',
  blockers:
    'blockers, blocker, blocked, blocked by, blocked on, obstacles, impediments, waiting for, waiting on, whats blocking, what is blocking',
  questions:
    'questions, question, open questions, open question, unanswered questions, unanswered, unresolved, unresolved questions, questions for you, to clarify, needs an answer',
  next: 'next action, the next action, immediate next action, first action, do this next, do next, start here, continue here, continue with',
  steps:
    'next, next up, next step, the next step, next steps, the next steps, immediate next steps, next tasks, next actions, whats next, what is next, what comes next, what to do next, where to go next',
  command:
    'about to run, command, the command, next command, exact command, command to run, run next, the command that was about to run, command that was about to run',
};

const sections: ReadonlyMap<string, ReadSection> = new Map(
  Object.entries(synonyms).flatMap(([section, words]) =>
    words.split(', ').map((word): [string, ReadSection] => [word, section as ReadSection]),
  ),
);

/** Parts that the tool writes and does not read back, and their headings of the third level. */
const fixed: ReadonlySet<string> = new Set([
  'before you rely on it',
  'emergency',
  'contract',
  'written down on the way',
  'facts',
]);
const fixedBelow: ReadonlySet<string> = new Set(
  'missing, accepted when, constraints, not part of it, workspace, changes, diff, validation, phases, progress, skills, not carried over, secrets taken out'.split(
    ', ',
  ),
);

/** What a line stands under. */
export type HeadingPlace =
  | { readonly kind: 'opening' }
  | { readonly kind: 'claims'; readonly section: ReadSection; readonly level: number }
  | { readonly kind: 'fixed'; readonly level: number }
  | { readonly kind: 'strange'; readonly level: number; readonly heading: string; readonly line: number };

export interface PlacedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly place: HeadingPlace;
  /** It opened its place. */
  readonly opens: boolean;
  /** It is a heading inside claims, and divides them. */
  readonly divides?: string;
  /** Inside a fence of code: neither a heading nor the mark of a list. */
  readonly code: boolean;
}

export const briefingTitle = '# Briefing: ';
export const packetTitle = '# Handoff: ';
const told: HeadingPlace = { kind: 'fixed', level: 1 };

/** Where the packet begins in a file that begins with the briefing: that is told, and not read back. */
function packetAt(lines: readonly string[]): number {
  if (lines[0]?.startsWith(briefingTitle) !== true) return 0;
  return Math.max(
    0,
    lines.findLastIndex((line) => line.startsWith(packetTitle)),
  );
}

/** Every line with the heading it stands under. */
export function placedLines(lines: readonly string[]): PlacedLine[] {
  const placed: PlacedLine[] = [];
  const inCode = codeLines(lines);
  let place: HeadingPlace = { kind: 'opening' };
  let isTitled = false;
  const begins = packetAt(lines);
  for (let at = 0; at < begins; at += 1)
    placed.push({ number: at + 1, text: lines[at] ?? '', place: told, opens: false, code: false });
  for (let at = begins; at < lines.length; at += 1) {
    const text = lines[at] ?? '';
    const code = inCode.has(at);
    const heading = code ? undefined : headingAt(lines, at);
    const base = { number: at + 1, text, code };
    if (heading === undefined) {
      placed.push({ ...base, place, opens: false });
      continue;
    }
    const isTitle: boolean = heading.level === 1 && !isTitled && place.kind === 'opening';
    isTitled ||= isTitle;
    const opened = placeOf(heading, place, at + 1);
    if (opened.kind === 'strange' && isTitle) placed.push({ ...base, place, opens: true });
    else if (opened.kind === 'strange' && place.kind === 'claims' && heading.level > place.level)
      placed.push({ ...base, place, opens: false, divides: heading.words });
    else {
      place = opened;
      placed.push({ ...base, place, opens: true });
    }
    // The line below a heading that is underlined is part of it.
    if (heading.lines === 2) {
      at += 1;
      placed.push({ number: at + 1, text: lines[at] ?? '', place, opens: true, code: false });
    }
  }
  return placed;
}

interface Heading {
  readonly words: string;
  readonly level: number;
  readonly lines: 1 | 2;
}

/** Headings that are only words in bold, or end in a colon, stand below all others. */
const wordsLevel = 7;

function headingAt(lines: readonly string[], at: number): Heading | undefined {
  const line = lines[at] ?? '';
  const [, marks, rest = ''] = /^(#{1,6})[ \t]+([^ \t].*)$/.exec(line) ?? [];
  const words = withoutEnd(rest, ' \t#');
  if (marks !== undefined && words !== '') return { words, level: marks.length, lines: 1 };
  if (!/^[\p{L}\p{N}*_]/u.test(line) || /^(?:[*+-]|\d+[.)])\s/.test(line)) return undefined;
  const underline = /^(=+|-{2,})[ \t]*$/.exec(lines[at + 1] ?? '')?.[1];
  const follows = (lines[at - 1] ?? '').trim() !== '';
  if (underline !== undefined && !follows)
    return { words: line.trim(), level: underline.startsWith('=') ? 1 : 2, lines: 2 };
  const isBold = /^(\*\*|__)[^*_]+\1:?\s*$|^(\*\*|__)[^*_]+:\2\s*$/.test(line);
  if ((isBold || /:\s*$/.test(line)) && sections.has(wordsOf(line)))
    return { words: line.trim(), level: wordsLevel, lines: 1 };
  return undefined;
}

function placeOf({ words, level }: Heading, within: HeadingPlace, line: number): HeadingPlace {
  const plain = wordsOf(words);
  // The tool writes artefacts after the claims, below whichever came last.
  const isBelow =
    level === 3 && (plain === 'artefacts' || (within.kind === 'fixed' && fixedBelow.has(plain)));
  if (isBelow || fixed.has(plain)) return { kind: 'fixed', level };
  const section = sections.get(plain);
  if (section !== undefined) return { kind: 'claims', section, level };
  return { kind: 'strange', level, heading: words, line };
}

/** Letters only, without case: numbers, marks and signs around a heading do not change what it means. */
function wordsOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/['’`]/g, '')
    .replace(/\([^()]{0,200}\)\s{0,9}:?\s{0,9}[*_]{0,9}$/, '')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** Lines of fences that begin at the margin and are closed, with their marks. */
function codeLines(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  const unclosed = new Map<string, number>();
  for (let at = 0; at < lines.length; at += 1) {
    const mark = /^(`{3,}|~{3,})/.exec(lines[at] ?? '')?.[1] ?? '';
    const sign = mark.slice(0, 1);
    if (mark === '' || mark.length >= (unclosed.get(sign) ?? Infinity)) continue;
    let end = at + 1;
    while (
      end < lines.length &&
      !(lines[end]?.startsWith(mark) === true && /^[`~]+\s*$/.test(lines[end] ?? ''))
    )
      end += 1;
    if (end === lines.length) {
      unclosed.set(sign, mark.length);
      continue;
    }
    for (let n = at; n <= end; n += 1) found.add(n);
    at = end;
  }
  return found;
}
