/**
 * Notes that an agent writes into a file instead of saying them to anybody. Only lines that were not there before are news, wherever in
 * the file they stand and however often it is written again.
 */
import * as z from 'zod/mini';
import type { CarryEvent } from '../task/command.ts';
import { digestOf } from '../journal/digest.ts';
import { cut } from '../base/text.ts';

export interface NewLines {
  readonly lines: readonly string[];
  /** For the next time. */
  readonly seen: readonly string[];
}

/** So many lines are remembered of one file. */
export const linesMax = 5000;
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
export function progressEvent(text: string): CarryEvent | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = typeof given === 'object' && given !== null && 'progress' in given ? given.progress : given;
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
