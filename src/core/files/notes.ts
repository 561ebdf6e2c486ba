/**
 * Notes that an agent writes into a file instead of saying them to anybody. Only lines that were not there before are news, wherever in
 * the file they stand and however often it is written again.
 */
import { defined } from '../base/defined.ts';
import { limits } from '../base/limits.ts';
import type { Claims } from '../packet/packet.ts';
import type { CarryEvent } from '../task/command.ts';
import { digestOf } from '../journal/digest.ts';
import { cut, Text, Title } from '../base/text.ts';

export interface NewLines {
  readonly lines: readonly string[];
  /** For the next time. */
  readonly seen: readonly string[];
}

/** So many lines are remembered of one file. */
const linesMax = 5000;
const noteCharsMax = 8000;

/** A line that is still being written waits, unless this is the last time. */
export function newLines(
  text: string,
  seen: readonly string[],
  { final }: { readonly final: boolean },
): NewLines {
  const all = text.split(/\r?\n/);
  const whole = final ? all : all.slice(0, -1);
  const known = new Set(seen);
  const lines: string[] = [];
  for (const line of whole.slice(-linesMax)) {
    const mark = markOf(line);
    if (line.trim() === '' || known.has(mark)) continue;
    known.add(mark);
    lines.push(line.trimEnd());
  }
  return { lines, seen: [...known].slice(-linesMax) };
}

function markOf(line: string): string {
  return digestOf(line.trim()).replace(/^.*:/, '').slice(0, 16);
}

/** As many notes as they need. */
export function noteEvents(name: string, lines: readonly string[]): CarryEvent[] {
  const events: CarryEvent[] = [];
  let text = '';
  const finish = (): void => {
    if (text !== '') events.push({ type: 'note', text: `${name}:${text}` });
    text = '';
  };
  for (const line of lines) {
    const said = cut(line, noteCharsMax);
    if (text.length + said.length > noteCharsMax) finish();
    text += `\n${said}`;
  }
  finish();
  return events;
}

export type ProgressMoved = Extract<CarryEvent, { readonly type: 'progress-moved' }>;

/**
 * How far the work is, by a progress.json: `at`, and `of`, `unit` and `cursor` as far as they are there and can be used, at the top or
 * under `progress`. Undefined where no place is told.
 */
export function progressEvent(text: string): ProgressMoved | undefined {
  const given = objectIn(text);
  const { at, of, unit, cursor } = fieldsIn(given?.['progress']) ?? given ?? {};
  const place = countIn(at);
  if (place === undefined) return undefined;
  const rest = { of: countIn(of), unit: Title.safeParse(unit).data, cursor: cursorIn(cursor) };
  return { type: 'progress-moved', at: place, ...defined(rest) };
}

/** Agents write numbers as texts too. */
function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** Its program knows what it means: what is no text is carried as JSON. */
function cursorIn(value: unknown): string | undefined {
  const isText = typeof value === 'string' || value === null;
  const { data = '' } = Text.safeParse(isText ? value : JSON.stringify(value));
  return data === '' || data.length > cursorCharsMax ? undefined : data;
}

const cursorCharsMax = 1000;

/** What a progress.json says of the work. */
export interface ProgressTold {
  readonly claims: Claims | undefined;
  readonly moved: ProgressMoved | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(text: string): Fields | undefined {
  try {
    return fieldsIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fieldsIn(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Fields of a progress.json as agents write it, and the claims that they are. */
const told = {
  done: 'completed_phases',
  doing: 'current_phase',
  remaining: 'pending_phases',
  blockers: 'blockers',
} as const;

/** Whether it is one that an agent keeps of its phases, and no list of claims. */
export function tellsPhases(text: string): boolean {
  const given = objectIn(text) ?? {};
  return [told.done, told.doing, told.remaining].some((field) => field in given);
}

/** What an agent says of its work in a progress.json of its own: its phases, what is in the way, and its notes. Undefined for any other text. */
export function progressClaims(text: string): Claims | undefined {
  const given = objectIn(text);
  if (given === undefined) return undefined;
  const lists = Object.entries(told).flatMap(([claim, field]) => {
    const items = itemsIn(given[field]).slice(0, limits.listItemsMax);
    return items.length === 0 ? [] : [[claim, items] as const];
  });
  const notes = itemsIn(given['notes']).join('\n');
  if (lists.length === 0 && notes === '') return undefined;
  return { ...Object.fromEntries(lists), ...(notes === '' ? {} : { summary: cut(notes, noteCharsMax) }) };
}

/** A text, a list, or things with a name: agents agree on no shape. */
function itemsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(itemsIn);
  if (typeof value === 'string')
    return value.trim() === '' ? [] : [cut(value.toWellFormed(), noteCharsMax / 4)];
  if (typeof value !== 'object' || value === null) return [];
  const { name, title, phase, text, description } = value as Fields;
  const words = [name ?? title ?? phase, text ?? description].flatMap(itemsIn).join(': ');
  return words === '' ? [] : [words];
}

/** What was drawn from a session, and what its agent wrote into the folder besides. */
export function joinedClaims(drawn: Claims | undefined, written: Claims): Claims {
  const lists = (['done', 'doing', 'remaining', 'blockers'] as const).map((name) => {
    const all = [...(drawn?.[name] ?? []), ...(written[name] ?? [])];
    return [name, all.length === 0 ? undefined : all.slice(0, limits.listItemsMax)] as const;
  });
  const summary = [drawn?.summary, written.summary].filter((one) => one !== undefined).join('\n\n');
  return {
    ...drawn,
    ...defined(Object.fromEntries(lists)),
    ...(summary === '' ? {} : { summary: cut(summary, noteCharsMax) }),
  };
}
