/** What the model is offered by Gemini CLI 0.61.0 without any settings, and how it names the tools of servers: `mcp_lab_ping`. */
import type { Toolbox } from '../../ports/runtime.ts';
import { nativeCall } from './tools.ts';

export const toolbox: Toolbox = {
  own: ['run_shell_command'],
  nameOf: (call, runtime) => nativeCall(runtime, call).tool,
  // The program asks for names of servers without an underscore.
  serverOf: (tool) => /^mcp_([^_]+)_/.exec(tool)?.[1] ?? null,
};
