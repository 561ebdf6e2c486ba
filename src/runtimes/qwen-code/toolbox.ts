/**
 * What the model is offered by Qwen Code 0.24.4 without any settings, and how it names the tools of servers: `mcp__lab__ping`. Those that it
 * gives only when they are searched for are in `also`. Checked by `test/lab/tools.lab.ts` against what the program sends.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { nativeCall } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    run_shell_command: ['shell'],
    read_file: ['read-file', 'see-image'],
    write_file: ['write-file'],
    edit: ['edit-file'],
    notebook_edit: ['edit-file'],
    grep_search: ['search-text'],
    glob: ['find-files'],
    agent: ['start-agent'],
    skill: ['load-skill'],
    list_agents: [],
    get_goal: [],
    update_goal: [],
    tool_search: [],
    tool_call: [],
  },
  also: {
    list_directory: ['list-folder'],
    web_fetch: ['fetch-page'],
    todo_write: ['plan'],
    ask_user_question: ['ask-person'],
    zoom_image: ['see-image'],
    enter_worktree: [],
    exit_worktree: [],
    monitor: [],
    send_message: [],
    task_stop: [],
    report_findings: [],
    read_mcp_resource: [],
  },
  nameOf: (call, runtime) => nativeCall(runtime, call).tool,
  serverOf: carriedServer,
};
