/** What the model is offered by Codex 0.166.0 without any settings, and how the reader names the tools of servers: `mcp__lab__ping`. */
import type { Toolbox } from '../../ports/runtime.ts';
import { toOwnTool } from './tools.ts';

export const toolbox: Toolbox = {
  own: ['exec_command'],
  nameOf: (call) => toOwnTool(call).tool,
  serverOf: (tool) => /^mcp__(.+?)__/.exec(tool)?.[1] ?? null,
};
