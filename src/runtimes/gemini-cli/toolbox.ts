/**
 * What the model is offered by Gemini CLI 0.61.0 without any settings, and how it names the tools of servers: `mcp_lab_ping`. Without
 * a terminal it leaves out whatever would have to be approved (see `unasked`), and asks nobody. Checked by `test/lab/tools.lab.ts`
 * against what the program sends.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { nativeCall } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    run_shell_command: ['shell'],
    read_file: ['read-file', 'see-image'],
    write_file: ['write-file'],
    replace: ['edit-file'],
    grep_search: ['search-text'],
    glob: ['find-files'],
    list_directory: ['list-folder'],
    web_fetch: ['fetch-page'],
    google_web_search: ['search-web'],
    invoke_agent: ['start-agent'],
    activate_skill: ['load-skill'],
    enter_plan_mode: ['plan'],
    ask_user: ['ask-person'],
    update_topic: [],
    list_background_processes: [],
    read_background_output: [],
  },
  also: {
    read_many_files: ['read-file'],
    write_todos: ['plan'],
    exit_plan_mode: ['plan'],
    search_file_content: ['search-text'],
    get_internal_docs: [],
    read_mcp_resource: [],
    list_mcp_resources: [],
    complete_task: [],
  },
  nameOf: (call, runtime) => nativeCall(runtime, call).tool,
  // The program asks for names of servers without an underscore.
  serverOf: (tool) => carriedServer(tool) ?? /^mcp_([^_]+)_/.exec(tool)?.[1] ?? null,
};
