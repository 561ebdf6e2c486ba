/**
 * What the model is offered by Cline 3.0.65 without any settings and without the network, and how it names the tools of servers:
 * `lab__ping`. Checked by `test/lab/tools.lab.ts` against what the program sends.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { nativeCall } from './tools.ts';

const team = [
  'spawn_teammate',
  'shutdown_teammate',
  'status',
  'task',
  'run_task',
  'cancel_run',
  'list_runs',
  'await_runs',
  'send_message',
  'broadcast',
  'read_mailbox',
  'mission_log',
  'cleanup',
  'create_outcome',
  'attach_outcome_fragment',
  'review_outcome_fragment',
  'finalize_outcome',
  'list_outcomes',
];

export const toolbox: Toolbox = {
  own: {
    run_commands: ['shell'],
    read_files: ['read-file'],
    editor: ['write-file', 'edit-file'],
    search_codebase: ['search-text'],
    fetch_web_content: ['fetch-page'],
    ask_question: ['ask-person'],
    spawn_agent: ['start-agent'],
    ...Object.fromEntries(team.map((name) => [`team_${name}`, []])),
  },
  also: {
    skills: ['load-skill'],
    apply_patch: ['edit-file'],
    submit_and_exit: [],
  },
  nameOf: (call, runtime) => nativeCall(runtime, call).tool,
  serverOf: (tool) => carriedServer(tool) ?? /^(.+?)__/.exec(tool)?.[1] ?? null,
};
