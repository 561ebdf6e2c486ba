/** Events that programs without a screen write, one a line: looked at field by field, and nothing that they lack is a fault. */
import type { PermissionName, Permissions } from '../core/plan/crew.ts';
import type { HeardEvent } from '../ports/runtime.ts';

export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

export function wordsAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function countAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

/** Both Claude Code and Qwen Code write these: `system`, `assistant`, `user` and `result`. */
export function hearStreamJson(event: unknown): HeardEvent[] {
  const id = wordsAt(event, 'session_id');
  const session: HeardEvent[] = id === undefined ? [] : [{ kind: 'session', id }];
  const type = fieldAt(event, 'type');
  // Agents that it started speak in its session, and are no part of its answer.
  if (type === 'assistant' && (fieldAt(event, 'parent_tool_use_id') ?? null) === null)
    return [...session, ...blocksOf(fieldAt(event, 'message', 'content'))];
  return [...session, ...resultOf(event)];
}

function blocksOf(content: unknown): HeardEvent[] {
  return (Array.isArray(content) ? content : []).flatMap((block: unknown): HeardEvent[] => {
    const said = wordsAt(block, 'text');
    const thought = wordsAt(block, 'thinking');
    const tool = wordsAt(block, 'name');
    if (said !== undefined) return [{ kind: 'said', text: said }];
    if (thought !== undefined) return [{ kind: 'thought', text: thought }];
    return tool === undefined ? [] : [{ kind: 'tool', text: toolWords(tool, fieldAt(block, 'input')) }];
  });
}

function resultOf(event: unknown): HeardEvent[] {
  if (fieldAt(event, 'is_error') !== true) return [];
  return [{ kind: 'failed', text: wordsAt(event, 'error', 'message') ?? wordsAt(event, 'result') ?? '' }];
}

/** A tool and what it is given, as one would read it in a line. */
export function toolWords(tool: string, input: unknown): string {
  const given = ['command', 'file_path', 'path', 'filePath', 'pattern', 'url']
    .map((name) => wordsAt(input, name))
    .find((words) => words !== undefined);
  return given === undefined ? tool : `${tool}: ${given}`;
}

/** Those of which nobody has said that they must be asked for, or are denied. */
export function mayUnasked(permissions: Permissions, name: PermissionName): boolean {
  return (permissions[name] ?? 'allow') === 'allow';
}
