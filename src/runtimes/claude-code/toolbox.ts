/** What the model is offered by Claude Code 2.1.325 without any settings, at once or when it asks for them, and how it names the tools of servers: `mcp__lab__ping`. */
import type { Toolbox } from '../../core/transcript/tools.ts';
import { mapped } from './tools.ts';

export const toolbox: Toolbox = {
  own: {
    Bash: ['shell'],
    Read: ['read-file', 'see-image'],
    Write: ['write-file'],
    Edit: ['edit-file'],
    Glob: ['find-files'],
    Grep: ['search-text'],
    NotebookEdit: ['edit-file'],
    Agent: ['start-agent'],
    Skill: ['load-skill'],
    WebFetch: ['fetch-page'],
    WebSearch: ['search-web'],
    TodoWrite: ['plan'],
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
    SendMessage: [],
    TaskStop: [],
  },
  nameOf: (call, runtime) => mapped(call, runtime).tool,
  serverOf: (tool) => /^mcp__(.+?)__/.exec(tool)?.[1] ?? null,
};
