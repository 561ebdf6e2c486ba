/** What the model is offered by Codex 0.166.0 without any settings, and how the reader names the tools of servers: `mcp__lab__ping`. */
import type { Toolbox } from '../../core/transcript/tools.ts';
import { toOwnTool } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    exec_command: ['shell'],
    write_stdin: [],
    apply_patch: ['edit-file', 'write-file'],
    view_image: ['see-image'],
    web_search: ['search-web'],
    multi_agent_v1: ['start-agent'],
    update_plan: ['plan'],
    request_user_input: ['ask-person'],
    get_goal: [],
    create_goal: [],
    update_goal: [],
  },
  nameOf: (call) => toOwnTool(call).tool,
  serverOf: (tool) => /^mcp__(.+?)__/.exec(tool)?.[1] ?? null,
};
