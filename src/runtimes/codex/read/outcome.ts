/** What came of a call: the text that the model got, and what the events beside it say of its success. */
import { defined, filled } from '../../../core/base/defined.ts';
import type { ToolCall, JsonObject, Result } from '../../../core/transcript/step.ts';
import { otherIn } from './context.ts';
import {
  argumentsOf,
  fieldsIn,
  fieldsOf,
  has,
  listIn,
  numberIn,
  parsed,
  textIn,
  textsIn,
  type Fields,
} from './schema.ts';

/** What an `item_completed` event says of a call. */
export interface Outcome {
  readonly exit: number | null;
  readonly failed: boolean;
  readonly passed: boolean;
  /** The thread that the call started. */
  readonly subagent: string | null;
  readonly files: readonly string[];
}

/** The items that stand for a call and carry its id. */
const callItems = new Set([
  'CommandExecution',
  'FileChange',
  'McpToolCall',
  'DynamicToolCall',
  'CollabAgentToolCall',
]);

const failures = new Set(['failed', 'declined', 'interrupted']);

export function outcomeIn(item: Fields): Outcome | null {
  const type = textIn(item, 'type');
  if (type === null || !callItems.has(type)) return null;
  const exit = numberIn(item, 'exit_code');
  const status = textIn(item, 'status');
  const isDone = status === 'completed';
  const failed = !isDone && ((exit ?? 0) !== 0 || failures.has(status ?? ''));
  return {
    exit,
    failed,
    passed: !failed && (isDone || exit === 0),
    subagent:
      type === 'CollabAgentToolCall' && textIn(item, 'tool') === 'spawn_agent'
        ? (textsIn(item, 'receiver_thread_ids')[0] ?? null)
        : null,
    files: Object.keys(fieldsIn(item, 'changes')).map((path) => `file-change:${path.toWellFormed()}`),
  };
}

/** A result as the model got it. The events say best whether it failed; without them the text is asked. */
export function resultOf(call: ToolCall, payload: Fields, outcome: Outcome | undefined): Result {
  const { text, other, success } = outputIn(payload);
  const told = outcome?.exit ?? exitIn(call, text);
  const ended = endOf(call, text) ?? success;
  const failed = outcome === undefined ? ended === false || (told ?? 0) !== 0 : outcome.failed;
  const passed = outcome === undefined ? !failed && (ended === true || told === 0) : outcome.passed;
  const all = [...other, ...(outcome?.files ?? [])];
  return {
    call: call.id,
    text,
    failed,
    ...filled({ passed, exit: told, other: all }),
  };
}

interface Output {
  readonly text: string;
  readonly other: readonly string[];
  readonly success: boolean | null;
}

/** A text, a list of parts, or (before 0.4x) an object that holds one of them. */
function outputIn(payload: Fields): Output {
  const plain = textIn(payload, 'output');
  if (plain !== null) return { text: plain, other: [], success: null };
  const holder = fieldsIn(payload, 'output');
  const parts = has(holder, 'content') ? listIn(holder, 'content') : listIn(payload, 'output');
  const whole = textIn(holder, 'content');
  const texts: string[] = whole === null ? [] : [whole];
  const isUnknown = Object.keys(holder).length > 0 && !has(holder, 'content');
  const other: string[] = isUnknown ? ['unknown'] : [];
  for (const part of parts.map((item) => (typeof item === 'string' ? { text: item } : fieldsOf(item)))) {
    const text = textIn(part, 'text');
    if (text === null) other.push(otherIn(part));
    else texts.push(text);
  }
  const success = holder['success'];
  return { text: texts.join('\n'), other, success: typeof success === 'boolean' ? success : null };
}

const exitLine =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?\d{1,10})(?:\n|$)/;
/** A patch that was given to the shell is applied by the program, which puts its own head into the output. */
const patchedLine = /^Wall time: .*\nOutput:\nExit code: (-?\d{1,10})\nWall time: .*\nOutput:\n/;

/** The exit code that the shell tools write at the head of what they return; older ones return JSON. */
function exitIn(call: ToolCall, text: string): number | null {
  const head = headOf(call, text);
  const said = exitLine.exec(head) ?? patchedLine.exec(head);
  if (said !== null) return Number(said[1]);
  if (!head.startsWith('{"output":')) return null;
  return numberIn(fieldsIn(fieldsOf(parsed(text)), 'metadata'), 'exit_code');
}

/** The process that a command goes on in, behind its result; null where it has ended. */
export function processIn(call: ToolCall, text: string): string | null {
  return (
    /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?Process running with session ID (\d{1,15})(?:\n|$)/.exec(
      headOf(call, text),
    )?.[1] ?? null
  );
}

const headChars = 400;
const begin = '\nChunk ID: ';

/** Some versions repeat the command first. One that has such a line of its own could say how it ended: then nobody knows. */
function headOf({ args }: ToolCall, text: string): string {
  if (!text.startsWith('Command: ')) return text.slice(0, headChars);
  const at = text.indexOf(begin);
  const isSure = at >= 0 && !JSON.stringify(args).includes('Chunk ID: ');
  return isSure ? text.slice(at + 1, at + 1 + headChars) : '';
}

/** Refusals have no event, nor has what could not begin: the text begins with words of the program. */
const programFailures =
  /^(?:(?:Wall time: .*\n)?aborted(?: by user.*)?$|unsupported call: |failed to parse function arguments|apply_patch verification failed: |exec_command failed for |write_stdin failed: |collab spawn failed: )/;

/** Whether it went well, where the program's words say so. */
function endOf({ tool }: ToolCall, text: string): boolean | null {
  const head = text.slice(0, headChars);
  if (programFailures.test(head)) return false;
  const script = tool === scriptTool ? /^Script (completed|failed)\nWall time /.exec(head)?.[1] : undefined;
  return script === undefined ? null : script === 'completed';
}

/** In code mode the model has this tool, and its script calls the others. */
export const scriptTool = 'exec';
const scriptHead = /^Script .*\nWall time .*\nOutput:\n+/;

/** What a script printed. */
export function printedBy(text: string): string {
  return text.replace(scriptHead, '');
}

/** A call that a script made, by the event that tells of it; null for what is no such call. */
export function callIn(item: Fields): Omit<ToolCall, 'id'> | null {
  switch (textIn(item, 'type')) {
    case 'CommandExecution': {
      const cwd = textIn(item, 'cwd')?.replace(/^file:\/\//, '');
      const folder = cwd === undefined ? {} : { workdir: cwd };
      return { tool: 'exec_command', args: { cmd: commandIn(item), ...folder } };
    }
    case 'FileChange':
      return { tool: 'apply_patch', args: { changes: changesIn(item) } };
    case 'McpToolCall': {
      const name = `mcp__${textIn(item, 'server') ?? ''}__${textIn(item, 'tool') ?? ''}`;
      const { args, raw } = argumentsOf(item['arguments']);
      return { tool: name, args, ...defined({ raw }) };
    }
    default:
      return null;
  }
}

function commandIn(item: Fields): string {
  const words = textsIn(item, 'command');
  const [, option = '', script] = words;
  return words.length === 3 && /^-l?c$/.test(option) && script !== undefined
    ? script
    : (textIn(item, 'command') ?? words.join(' '));
}

/** What became of each file, without its content. */
function changesIn(item: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(fieldsIn(item, 'changes')).map(([path, about]) => {
      const to = textIn(fieldsOf(about), 'move_path');
      const type = textIn(fieldsOf(about), 'type') ?? 'update';
      return [path.toWellFormed(), { type, ...(to === null ? {} : { move_path: to }) }];
    }),
  );
}

/** What the event of such a call says that it printed. */
export function printedIn(item: Fields): string {
  return textIn(item, 'aggregated_output') ?? textIn(item, 'stdout') ?? '';
}
