/** An event as a program tells of it on standard input. Every field may be missing, and none is believed beyond its type. */
import { runtimeNames, type RuntimeName } from '../ports/runtime.ts';

/** What is done at an event, whatever a program calls it. */
export const moments = [
  'session-start',
  'prompt',
  'tool',
  'compaction',
  'turn-end',
  'subagent-end',
  'session-end',
] as const;
export type Moment = (typeof moments)[number];

/** As the programs name their events. Gemini CLI is greeted before the first turn: what its SessionStart adds spoils its sessions. */
export const eventNames: Readonly<Record<RuntimeName, Readonly<Record<string, Moment>>>> = {
  'claude-code': {
    SessionStart: 'session-start',
    UserPromptSubmit: 'prompt',
    PostToolUse: 'tool',
    PreCompact: 'compaction',
    Stop: 'turn-end',
    SubagentStop: 'subagent-end',
    SessionEnd: 'session-end',
  },
  codex: {
    SessionStart: 'session-start',
    UserPromptSubmit: 'prompt',
    PostToolUse: 'tool',
    PreCompact: 'compaction',
    Stop: 'turn-end',
    SubagentStop: 'subagent-end',
    SessionEnd: 'session-end',
  },
  'gemini-cli': {
    BeforeAgent: 'prompt',
    AfterTool: 'tool',
    AfterAgent: 'turn-end',
    SessionEnd: 'session-end',
  },
  opencode: {
    'session-start': 'session-start',
    prompt: 'prompt',
    tool: 'tool',
    compaction: 'compaction',
    'turn-end': 'turn-end',
    'session-end': 'session-end',
  },
};

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
  const name = runtimeNames.find((one) => one === runtime);
  return name === undefined ? undefined : eventNames[name][event];
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
  const fields = given as Readonly<Record<string, unknown>>;
  const session = textIn(fields, 'session_id') ?? here.env['CLAUDE_CODE_SESSION_ID'] ?? null;
  if (session === null || session === '' || session.length > idCharsMax) return 'it names no session_id';
  const pid = Number(fields['pid'] ?? here.env['CLAUDE_PID'] ?? Number.NaN);
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

function inputText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const command = (value as Readonly<Record<string, unknown>>)['command'];
  return (Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : '').slice(
    0,
    toolCharsMax,
  );
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function windowIn(value: unknown): HookEvent['window'] {
  if (typeof value !== 'object' || value === null) return null;
  const { used, max } = value as Readonly<Record<string, unknown>>;
  return typeof used === 'number' && typeof max === 'number' && used >= 0 && max > 0 ? { used, max } : null;
}

/** Tools that only look. Any other may have changed a file. */
const lookers: ReadonlySet<string> = new Set(
  [
    ['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'ToolSearch', 'TodoWrite', 'TodoRead'],
    ['TaskList', 'TaskGet', 'Skill', 'AskUserQuestion', 'NotebookRead', 'update_plan', 'view_image'],
    ['read_file', 'read_many_files', 'list_directory', 'search_file_content', 'glob', 'grep_search'],
    ['google_web_search', 'web_fetch', 'save_memory', 'write_todos'],
    ['read', 'grep', 'list', 'webfetch', 'todowrite', 'todoread', 'skill'],
  ].flat(),
);

export function mayChange(tool: string | null): boolean {
  return tool === null || !lookers.has(tool);
}

/** Tools that do nothing but write files. */
const writers: ReadonlySet<string> = new Set(
  [
    ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch', 'write_file', 'replace'],
    ['write', 'edit', 'multiedit', 'patch'],
  ].flat(),
);

export function writes(tool: string | null): boolean {
  return tool !== null && writers.has(tool);
}

/** A call that may have changed which task this session holds. */
export function speaksOfUs({ tool, toolInput }: Pick<HookEvent, 'tool' | 'toolInput'>): boolean {
  return /staffetta/i.test(tool ?? '') || /staffetta/i.test(toolInput);
}
