/** Calls of other programs as calls of a program's own tools. One that would lose what it does, and not only how it is waited for, keeps its name. */
import type { ToolCall, JsonObject } from '../core/transcript/step.ts';
import type { ToolForm } from './agent.ts';
import { translateCall } from './translate.ts';

export interface NativeCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that have no place in the own tool. */
  readonly dropped: number;
}

export function asNativeCall(tools: readonly ToolForm[], runtime: string, call: ToolCall): NativeCall {
  const tool = toolName(call.tool);
  if (call.raw !== undefined) return { tool, args: { input: call.raw }, dropped: 0 };
  const own = translateCall(call, runtime, tools);
  if (own === null || own.lost.length > 0) return { tool, args: call.args, dropped: 0 };
  return { tool: own.tool, args: own.args, dropped: own.left.length };
}

/** Services of this protocol take letters, digits, `_` and `-`, and 64 of them. */
function toolName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return plain === '' ? 'unknown' : plain;
}
