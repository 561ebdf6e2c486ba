/**
 * What the model is offered by Claude Code 2.1.325 without any settings, at once or when it asks for them, and how it names the
 * tools of servers: `mcp__lab__ping`. Checked by `test/lab/tools.lab.ts` against what the program sends. It searches files by its
 * shell; the tools for that are in the program and not on offer. Somebody can be asked only at a terminal.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { mapped } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    Bash: ['shell'],
    Read: ['read-file', 'see-image'],
    Write: ['write-file'],
    Edit: ['edit-file'],
    NotebookEdit: ['edit-file'],
    Agent: ['start-agent'],
    Skill: ['load-skill'],
    WebFetch: ['fetch-page'],
    WebSearch: ['search-web'],
    AskUserQuestion: ['ask-person'],
    ToolSearch: [],
    ListAgents: [],
    ReportFindings: [],
    ScheduleWakeup: [],
    Workflow: [],
    CronCreate: [],
    CronDelete: [],
    CronList: [],
    EnterWorktree: [],
    ExitWorktree: [],
    Monitor: [],
    RemoteTrigger: [],
    SendMessage: [],
    TaskStop: [],
  },
  also: {
    Glob: ['find-files'],
    Grep: ['search-text'],
    LS: ['list-folder'],
    MultiEdit: ['edit-file'],
    Task: ['start-agent'],
    TodoWrite: ['plan'],
    TaskCreate: ['plan'],
    TaskUpdate: ['plan'],
    TaskGet: ['plan'],
    TaskList: ['plan'],
    EnterPlanMode: ['plan'],
    ExitPlanMode: ['plan'],
  },
  nameOf: (call, runtime) => mapped(call, runtime).tool,
  serverOf: carriedServer,
};
