/**
 * Notes that an agent writes into a file instead of saying them to anybody. Only lines that were not there before are news, wherever in
 * the file they stand and however often it is written again.
 */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { limits } from '../base/limits.ts';
import type { Claims } from '../packet/packet.ts';
import type { CarryEvent } from '../task/command.ts';
import { digestOf } from '../journal/digest.ts';
import { cut } from '../base/text.ts';

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

/** Built when first needed: most notes are lines. */
function progressShape() {
  const Count = z.int().check(z.minimum(0));
  return z.object({
    at: Count,
    of: z.optional(z.nullable(Count)),
    unit: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    cursor: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  });
}

/**
 * How far the work is, by a progress.json: `at` and `of` as numbers, at the top or under `progress`, with `unit` and
 * `cursor` if they are there. Undefined for anything else.
 */
export function progressEvent(text: string): ProgressMoved | undefined {
  const given = objectIn(text);
  const inner = given !== undefined && 'progress' in given ? given['progress'] : given;
  const found = progressShape().safeParse(inner);
  if (!found.success) return undefined;
  const { at, of, unit, cursor } = found.data;
  return {
    type: 'progress-moved',
    at,
    ...(typeof of === 'number' ? { of } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(typeof cursor === 'string' ? { cursor } : {}),
  };
}

/** What a progress.json says of the work. */
export interface ProgressTold {
  readonly claims: Claims | undefined;
  readonly moved: ProgressMoved | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(text: string): Fields | undefined {
  try {
    const given: unknown = JSON.parse(text);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Fields)
      : undefined;
  } catch {
    return undefined;
  }
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
