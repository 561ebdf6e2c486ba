/**
 * Calls of other programs as calls of Gemini CLI's own tools, where it has the same one: then the model meets names that it is
 * offered. A call that would lose what it does, and not only how it is waited for, keeps its name.
 */
import type { ToolCall, JsonObject } from '../../core/transcript/step.ts';
import { translateCall } from '../translate.ts';
import { agent } from './agent.ts';

export interface GeminiCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that have no place in the target's tool. */
  readonly dropped: number;
}

export function nativeCall(runtime: string, call: ToolCall): GeminiCall {
  const tool = toolName(call.tool);
  if (call.raw !== undefined) return { tool, args: { input: call.raw }, dropped: 0 };
  const own = translateCall(call, runtime, agent.tools);
  if (own === null || own.lost.length > 0) return { tool, args: call.args, dropped: 0 };
  return { tool: own.tool, args: own.args, dropped: own.left.length };
}

/** The model's service accepts letters, digits and `_ . -`, at most 64 of them, and no digit first. */
function toolName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}
