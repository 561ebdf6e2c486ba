/**
 * Which of its own tools Codex has for a call of another program. It has a shell and nothing else of the kind: files are read with
 * commands, and whether there is an `apply_patch` depends on the model. Other calls keep their names; the model reads them as history.
 */
import { defined } from '../../core/base/defined.ts';
import { severalRuntimes } from '../../core/transcript/one-history.ts';
import type { ToolCall, JsonObject } from '../../core/transcript/step.ts';
import { translateCall } from '../translate.ts';
import { agent } from './agent.ts';

export const shellTool = 'exec_command';

export interface Mapped {
  readonly tool: string;
  readonly args: JsonObject;
  readonly raw?: string;
  /** Options of the call that the own tool does not have. */
  readonly dropped: number;
}

export function toOwnTool(call: ToolCall): Mapped {
  const own = translateCall(call, severalRuntimes, agent.tools);
  if (own !== null) return { tool: own.tool, args: own.args, dropped: own.left.length };
  return { tool: nameFor(call.tool), args: call.args, ...defined({ raw: call.raw }), dropped: 0 };
}

/** The service takes letters, digits, `_` and `-`, and 64 of them. */
export function nameFor(tool: string): string {
  const name = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return name === '' ? 'unknown' : name;
}
