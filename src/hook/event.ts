/** An event as a program tells of it on standard input. Every field may be missing, and none is believed beyond its type. */
import { programOf, programs } from '../core/resume/runtime-names.ts';
import type { RuntimeName } from '../ports/runtime.ts';
import type { Agent, Moment } from '../runtimes/agent.ts';

export interface HookEvent {
  readonly runtime: RuntimeName;
  /** The program's own name for it. */
  readonly name: string;
  readonly moment: Moment;
  readonly session: string;
  readonly folder: string;
  readonly transcript: string | null;
  /** Why the session started; `compact` after a compaction. */
  readonly source: string | null;
  readonly tool: string | null;
  /** The tool's input as text, shortened: only to see whether it speaks of us. */
  readonly toolInput: string;
  /** Set only where the program names its process. */
  readonly pid: number | null;
  readonly window: { readonly used: number; readonly max: number } | null;
}

export function momentOf(runtime: string, event: string): Moment | undefined {
  const events = programOf(runtime)?.hooks.events ?? {};
  return Object.hasOwn(events, event) ? events[event] : undefined;
}

/** Whether another program runs the hooks that were set up for this one. It has hooks of its own. */
export function isRunByAnother(runtime: string, env: NodeJS.ProcessEnv): boolean {
  return programs.some(
    ({ name, hooks }) =>
      name !== runtime && hooks.runsOthers !== undefined && env[hooks.runsOthers] !== undefined,
  );
}

const idCharsMax = 200;
const toolCharsMax = 4000;

/** What cannot be used is said in words. */
export function eventOf(
  text: string,
  named: { readonly runtime: RuntimeName; readonly name: string; readonly moment: Moment },
  here: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): HookEvent | string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return text.trim() === '' ? 'standard input is empty' : 'standard input is not JSON';
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'standard input is not an object';
  const variables = programOf(named.runtime)?.hooks;
  const fields = asOthersSay(given as Fields, variables?.fields);
  if (fields === null) return 'it is of an agent that the session started';
  const session = textIn(fields, 'session_id') ?? here.env[variables?.session ?? ''] ?? null;
  if (session === null || session === '' || session.length > idCharsMax) return 'it names no session_id';
  const pid = Number(fields['pid'] ?? here.env[variables?.pid ?? ''] ?? Number.NaN);
  return {
    ...named,
    session,
    folder: textIn(fields, 'cwd') ?? here.cwd,
    transcript: textIn(fields, 'transcript_path'),
    source: textIn(fields, 'source'),
    tool: textIn(fields, 'tool_name'),
    toolInput: inputText(fields['tool_input']),
    pid: Number.isSafeInteger(pid) && pid > 1 ? pid : null,
    window: windowIn(fields['window']),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** By the names that most programs have for them. Null for what an agent did that the session started. */
function asOthersSay(given: Fields, places: Agent['hooks']['fields']): Fields | null {
  if (places === undefined) return given;
  if (typeof valueAt(given, places.parent) === 'string') return null;
  return {
    ...given,
    session_id: valueAt(given, places.session),
    cwd: valueAt(given, places.folder),
    tool_name: valueAt(given, places.tool),
    tool_input: { command: valueAt(given, places.input) },
  };
}

function valueAt(fields: Fields, path: readonly string[]): unknown {
  let value: unknown = fields;
  for (const name of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Fields)[name]
        : undefined;
  return value;
}

function inputText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const command = (value as Fields)['command'];
  return (Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : '').slice(
    0,
    toolCharsMax,
  );
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function windowIn(value: unknown): HookEvent['window'] {
  if (typeof value !== 'object' || value === null) return null;
  const { used, max } = value as Readonly<Record<string, unknown>>;
  return typeof used === 'number' && typeof max === 'number' && used >= 0 && max > 0 ? { used, max } : null;
}

export function mayChange({ runtime, tool }: Pick<HookEvent, 'runtime' | 'tool'>): boolean {
  return tool === null || programOf(runtime)?.hooks.looks.includes(tool) !== true;
}

export function writes({ runtime, tool }: Pick<HookEvent, 'runtime' | 'tool'>): boolean {
  return tool !== null && programOf(runtime)?.hooks.writes.includes(tool) === true;
}

/** A call that may have changed which task this session holds. */
export function speaksOfUs({ tool, toolInput }: Pick<HookEvent, 'tool' | 'toolInput'>): boolean {
  return /staffetta/i.test(tool ?? '') || /staffetta/i.test(toolInput);
}
