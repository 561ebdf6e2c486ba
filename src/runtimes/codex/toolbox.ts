/**
 * What the model is offered by Codex 0.166.0 without any settings, and how the reader names the tools of servers: `mcp__lab__ping`.
 * Checked by `test/lab/tools.lab.ts` against what the program sends. Whether there is an `apply_patch` or an `update_plan`
 * depends on the model.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { toOwnTool } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    exec_command: ['shell'],
    write_stdin: [],
    view_image: ['see-image'],
    web_search: ['search-web'],
    // They are on offer as a namespace, multi_agent_v1, and called by these names.
    spawn_agent: ['start-agent'],
    wait_agent: [],
    send_input: [],
    resume_agent: [],
    close_agent: [],
    request_user_input: ['ask-person'],
    get_goal: [],
    create_goal: [],
    update_goal: [],
  },
  also: {
    apply_patch: ['edit-file', 'write-file'],
    update_plan: ['plan'],
    shell: ['shell'],
    shell_command: ['shell'],
    local_shell: ['shell'],
    list_mcp_resources: [],
    read_mcp_resource: [],
  },
  nameOf: (call) => toOwnTool(call).tool,
  serverOf: carriedServer,
};
