/**
 * Calls of other programs as calls of Claude Code's own tools. One that does not fit keeps its name: the program sends unknown names
 * as they are.
 */
import type { ToolCall, JsonObject } from '../../core/transcript/step.ts';
import { translateCall } from '../translate.ts';
import { agent } from './agent.ts';

export interface Mapped {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that the own tool does not have. */
  readonly dropped: number;
}

export function mapped(call: ToolCall, runtime: string): Mapped {
  if (call.raw !== undefined) return { tool: call.tool, args: { input: call.raw }, dropped: 0 };
  const own = translateCall(call, runtime, agent.tools);
  if (own === null) return { tool: call.tool, args: call.args, dropped: 0 };
  return { tool: own.tool, args: own.args, dropped: own.left.length };
}
