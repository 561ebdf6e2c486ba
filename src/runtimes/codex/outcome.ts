/** What came of a call: the text that the model got, and what the events beside it say of its success. */
import type { Result } from '../../core/transcript/step.ts';
import { otherIn } from './context.ts';
import { fieldsIn, fieldsOf, has, listIn, numberIn, parsed, textIn, textsIn, type Fields } from './schema.ts';

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
export function resultOf(call: string, payload: Fields, outcome: Outcome | undefined): Result {
  const { text, other, success } = outputIn(payload);
  const told = outcome?.exit ?? exitIn(text);
  const failed =
    outcome === undefined ? success === false || (told ?? 0) !== 0 || isAborted(text) : outcome.failed;
  const passed = outcome === undefined ? !failed && (success === true || told === 0) : outcome.passed;
  const all = [...other, ...(outcome?.files ?? [])];
  return {
    call,
    text,
    failed,
    ...(passed ? { passed } : {}),
    ...(told === null ? {} : { exit: told }),
    ...(all.length === 0 ? {} : { other: all }),
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

/** The exit code that the shell tools write at the head of what they return; older ones return JSON. */
function exitIn(text: string): number | null {
  const head = text.slice(0, 400);
  const said =
    /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Output:\n)?(?:Process exited with code|Exit code:) (-?\d{1,10})(?:\n|$)/.exec(
      head,
    );
  if (said !== null) return Number(said[1]);
  if (!head.startsWith('{"output":')) return null;
  return numberIn(fieldsIn(fieldsOf(parsed(text)), 'metadata'), 'exit_code');
}

/** Refusals have no event: they begin with these words. */
function isAborted(text: string): boolean {
  const head = text.slice(0, 400);
  return (
    /^(?:Wall time: .*\n)?aborted(?: by user.*)?$/.test(head) ||
    /^(?:unsupported call: |failed to parse function arguments)/.test(head)
  );
}
