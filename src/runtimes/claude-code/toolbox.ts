/** What the model is offered by Claude Code 2.1.325 without any settings, and how it names the tools of servers: `mcp__lab__ping`. */
import type { Toolbox } from '../../ports/runtime.ts';
import { mapped } from './tools.ts';

export const toolbox: Toolbox = {
  own: ['Bash', 'Read', 'Write', 'Edit'],
  nameOf: (call, runtime) => mapped(call, runtime).tool,
  serverOf: (tool) => /^mcp__(.+?)__/.exec(tool)?.[1] ?? null,
};
