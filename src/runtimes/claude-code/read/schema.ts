/**
 * The shapes of Claude Code's records, as loosely as can be: a record is a JSON object on a line, and every field may be absent or
 * of another kind. Nothing is looked up through a prototype, so a field named `__proto__` is one of many that mean nothing to us;
 * of a key that stands twice the last counts, as it does for the program.
 *
 * In the conversation (a tree by uuid and parentUuid): user, assistant, attachment, system, progress.
 * Beside it: titles, the last prompt, costs and other notes; see `notes`.
 * Left out of a capture: api-request, api-request-shape, api-request-blob (the program's log of what it sent: nine tenths of a
 * session) and attachments of the type prompt_snapshot (the system prompt).
 */
import type { JsonObject } from '../../../core/transcript/step.ts';

export type Fields = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder();

/** Null where the bytes are no JSON object. A file system that lost power can leave zeros before a line; the program skips them too. */
export function recordOf(bytes: Uint8Array): Fields | null {
  const from =
    bytes[0] === 0
      ? Math.max(
          0,
          bytes.findIndex((byte) => byte !== 0),
        )
      : 0;
  return recordIn(utf8.decode(from === 0 ? bytes : bytes.subarray(from)));
}

export function recordIn(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function own(fields: Fields | null, name: string): unknown {
  return fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function isThere(fields: Fields, name: string): boolean {
  return (own(fields, name) ?? null) !== null;
}

export function text(fields: Fields | null, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' ? value : null;
}

/** Whole and not negative. */
export function count(fields: Fields | null, name: string): number | null {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function flag(fields: Fields | null, name: string): boolean {
  return own(fields, name) === true;
}

export function part(fields: Fields | null, name: string): Fields | null {
  return fieldsOf(own(fields, name));
}

export function list(fields: Fields | null, name: string): readonly unknown[] {
  const value = own(fields, name);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function texts(fields: Fields | null, name: string): string[] {
  return list(fields, name).filter((each) => typeof each === 'string');
}

/** Milliseconds since 1970. */
export function time(fields: Fields | null, name: string): number | null {
  const written = text(fields, name);
  if (written === null) return null;
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : at;
}

/** What a message holds: a text counts as one block of text. */
export function blocks(message: Fields | null): readonly Fields[] {
  const whole = text(message, 'content');
  if (whole !== null) return [{ type: 'text', text: whole }];
  return list(message, 'content')
    .map(fieldsOf)
    .filter((each) => each !== null);
}

/** How much of a content is neither a text nor a block: nothing here can say what it is. A message without any is one. */
export function strangeIn(message: Fields | null): number {
  const content = own(message, 'content');
  if (typeof content === 'string') return 0;
  return Array.isArray(content) ? content.filter((each) => fieldsOf(each) === null).length : 1;
}

/** Deeper arguments than this no tool has, and what writes JSON would run out of stack. */
const depthMax = 200;

/** The arguments of a call, or null where they are no object or too deep to be handed on. */
export function argumentsOf(fields: Fields, name: string): JsonObject | null {
  const value = part(fields, name);
  return value !== null && isShallow(value) ? (value as JsonObject) : null;
}

function isShallow(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return false;
    level = level
      .flatMap((each) => Object.values(each) as unknown[])
      .filter((each) => typeof each === 'object' && each !== null);
  }
  return true;
}

/** The field as it stands, for where it is no object; null where it nests too deeply to be written down again. */
export function rawOf(fields: Fields, name: string): string | null {
  const value = own(fields, name);
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return null;
  }
}

/**
 * Records beside the conversation that are understood, and of which no step is made. The program has more, which may change what
 * the model sees (history-suppression, fork-context-ref, derived-from); those are counted as unknown.
 */
export const notes: ReadonlySet<string> = new Set([
  'queue-operation',
  'last-prompt',
  'tools-used',
  'mode',
  'permission-mode',
  'atis-latch',
  'cost-state',
  'summary',
  'custom-title',
  'ai-title',
  'tag',
  'agent-name',
  'agent-color',
  'agent-setting',
  'pr-link',
  'file-history-snapshot',
  'file-history-delta',
  'attribution-snapshot',
  'progress',
  'relocated',
  'worktree-state',
  'continued-in',
  'ended-by-model',
  'resume-head-vouch',
  'content-replacement',
  'frame-link',
  'session-owner',
  'isolation-latch',
  'memory-mode',
  'bridge-session',
  'observer-ref',
  'dev-mods',
  'repl-mode',
]);

export type LeftOut = 'request-log' | 'system-prompt';

/** Which rule leaves a record out of a capture; null for what is kept. */
export function leftOut(record: Fields): LeftOut | null {
  const type = text(record, 'type') ?? '';
  if (type === 'api-request' || type.startsWith('api-request-')) return 'request-log';
  if (type === 'attachment' && text(part(record, 'attachment'), 'type') === 'prompt_snapshot')
    return 'system-prompt';
  return null;
}
