import type { ToolCall } from '../../core/transcript/step.ts';
import { asNativeCall, type NativeCall } from '../native-call.ts';
import { agent } from './agent.ts';

export function nativeCall(runtime: string, call: ToolCall): NativeCall {
  return asNativeCall(agent.tools, runtime, call);
}
