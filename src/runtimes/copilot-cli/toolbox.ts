/**
 * What the model is offered by Copilot CLI 1.0.102 without any settings and without the network, and how it names the tools of servers:
 * `lab-ping`. Checked by `test/lab/tools.lab.ts` against what the program sends.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { nativeCall } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    bash: ['shell'],
    view: ['read-file', 'list-folder', 'see-image'],
    create: ['write-file'],
    edit: ['edit-file'],
    grep: ['search-text'],
    glob: ['find-files'],
    task: ['start-agent'],
    skill: ['load-skill'],
    read_bash: [],
    stop_bash: [],
    list_bash: [],
    sql: ['plan'],
    session_store_sql: [],
    read_agent: [],
    list_agents: [],
    write_agent: [],
    fetch_copilot_cli_documentation: [],
  },
  also: {
    web_fetch: ['fetch-page'],
    web_search: ['search-web'],
    ask_user: ['ask-person'],
    update_todo: ['plan'],
    apply_patch: ['edit-file'],
    powershell: ['shell'],
    exit_plan_mode: [],
    report_intent: [],
  },
  nameOf: (call, runtime) => nativeCall(runtime, call).tool,
  serverOf: carriedServer,
};
