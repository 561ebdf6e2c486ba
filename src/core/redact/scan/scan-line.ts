/** One line, or one decoded string: the rules at their anchors, the shapes of its runs, and what lies behind its encodings. */
import type { FoundSecret } from './found.ts';
import { placeholdersIn, withoutPlaceholders } from '../placeholder.ts';
import { isPublishedExample } from '../published-examples.ts';
import type { Span } from '../rule.ts';
import { ranks, type Role } from '../rules.ts';
import { shapeOf } from '../rules/shapes.ts';
import type { TextRun } from './runs.ts';
import { hasUnseen, percentDecoded, seen, uncoloured, unescaped, type View } from './view.ts';

export interface ScanHit {
  readonly at: number;
  readonly role: Role;
}

/** What made the line worth reading, by place in it. */
export interface LineMarks {
  readonly hits: readonly ScanHit[];
  readonly runs: readonly TextRun[];
}

export interface ScanScope {
  /** How many more times a text may be decoded. */
  readonly depth: number;
  /** Scans a decoded text. */
  readonly deeper: (text: string, depth: number) => readonly FoundSecret[];
}

/** Base64 and percent-encoding may hold each other, so they use up the depth faster: otherwise the work would multiply. */
const decodingCost = 2;

export function scanText(text: string, marks: LineMarks, scope: ScanScope): FoundSecret[] {
  const guard = guardOf(text);
  const found = [...byRules(text, marks.hits, guard), ...byRuns(text, marks.runs, scope)].flatMap((one) => {
    const span = guard(one);
    return span === undefined || isPublishedExample(one.secret) ? [] : [{ ...one, ...span }];
  });
  return [...found, ...withoutRests(behindEncodings(text, scope), marks.runs)];
}

/** The rest of something longer stays that where the end of its line is written as an escape. */
export function withoutRests(found: readonly FoundSecret[], runs: readonly TextRun[]): FoundSecret[] {
  const rests = runs.filter(({ isRest }) => isRest);
  return found.filter(
    ({ rank, start, end }) =>
      rank !== ranks.shape || !rests.some((run) => run.start <= start && end <= run.end),
  );
}

function byRules(text: string, hits: readonly ScanHit[], guard: Guard): FoundSecret[] {
  const found: FoundSecret[] = [];
  const takenTo = new Map<number, number>();
  let valueTo = 0;
  for (const { at, role } of hits) {
    if (role.kind === 'value' && at + role.chars > valueTo) {
      const span = knownValueAt(text, at, role);
      valueTo = span?.end ?? valueTo;
      if (span !== undefined)
        found.push({
          ...span,
          rule: 'known-value',
          rank: ranks.value,
          secret: role.secret,
          continues: false,
        });
    }
    if (role.kind !== 'rule' || at < (takenTo.get(role.rank) ?? 0)) continue;
    const { rule, rank } = role;
    const span = rule.find(text, at);
    if (span === undefined || guard(span) === undefined) continue;
    const secret = text.slice(span.start, span.end);
    const known = rule.known === undefined ? {} : { known: rule.known(secret) };
    found.push({
      ...span,
      rule: rule.id,
      rank,
      secret: known.known?.join('') ?? secret,
      ...known,
      continues: false,
    });
    // What a rule has taken it need not read again for the anchors inside.
    takenTo.set(rank, span.end);
  }
  return found;
}

/** A short value counts only as a word of its own; one inside base64 makes the whole run a secret. */
function knownValueAt(text: string, at: number, value: Extract<Role, { kind: 'value' }>): Span | undefined {
  const span = { start: at, end: at + value.chars };
  if (value.encoded) return widened(text, span, /[\w+/=-]/);
  const isLong = value.chars >= 12;
  return isLong || (!/\w$/.test(text.slice(0, at).slice(-1)) && !/^\w/.test(text.charAt(span.end)))
    ? span
    : undefined;
}

function widened(text: string, span: Span, kind: RegExp): Span {
  let { start, end } = span;
  while (start > 0 && kind.test(text.charAt(start - 1))) start--;
  while (end < text.length && kind.test(text.charAt(end))) end++;
  return { start, end };
}

function byRuns(text: string, runs: readonly TextRun[], scope: ScanScope): FoundSecret[] {
  return runs.flatMap((run) => {
    const shape = shapeOf(text, run);
    if (shape === undefined) return inBase64(text, run, scope);
    const secret = text.slice(shape.start, shape.end);
    return [{ ...shape, rank: ranks.shape, secret, continues: false }];
  });
}

/** Base64 of text with a secret in it: all of it is replaced, for the rest could not be decoded any more. */
function inBase64(text: string, run: TextRun, scope: ScanScope): FoundSecret[] {
  if (scope.depth < decodingCost) return [];
  const decoded = Buffer.from(text.slice(run.start, run.end), 'base64').toString('latin1');
  const [inside] = scope.deeper(decoded, scope.depth - decodingCost);
  if (inside === undefined) return [];
  const padding = /^={0,2}/.exec(text.slice(run.end, run.end + 2))?.[0].length ?? 0;
  return [{ ...inside, start: run.start, end: run.end + padding, continues: false }];
}

function behindEncodings(text: string, scope: ScanScope): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (scope.depth >= 1 && text.includes('\x1b[')) found.push(...seenIn(uncoloured(text), text, scope, 1));
  if (scope.depth >= 1 && hasUnseen(text)) found.push(...seenIn(seen(text), text, scope, 1));
  if (scope.depth >= 1 && text.includes('\\')) found.push(...seenIn(unescaped(text), text, scope, 1));
  if (scope.depth >= decodingCost && /%[2-7][0-9A-Fa-f]/.test(text))
    found.push(...seenIn(percentDecoded(text), text, scope, decodingCost));
  return found;
}

function seenIn(view: View, text: string, scope: ScanScope, cost: number): FoundSecret[] {
  return view.text === text ? [] : fromView(view, scope.deeper(view.text, scope.depth - cost));
}

export function fromView(view: View, found: readonly FoundSecret[]): FoundSecret[] {
  return found.map((one) => ({ ...one, start: view.sourceStart(one.start), end: view.sourceEnd(one.end) }));
}

type Guard = (span: Span) => Span | undefined;

/** Placeholders stay whole, and what is nothing but placeholders is no secret. */
export function guardOf(text: string): Guard {
  const placeholders = placeholdersIn(text);
  return (span) => {
    let { start, end } = span;
    const first = firstBehind(placeholders, start);
    for (
      let i = first, one = placeholders[i];
      one !== undefined && one.start < end;
      one = placeholders[++i]
    ) {
      start = Math.min(start, one.start);
      end = Math.max(end, one.end);
    }
    if ((placeholders[first]?.start ?? Infinity) >= end) return span;
    return /[A-Za-z0-9]/.test(withoutPlaceholders(text.slice(start, end))) ? { start, end } : undefined;
  };
}

/** The first of spans in order that does not end before a place: a line may hold as many as it has finds. */
function firstBehind(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
