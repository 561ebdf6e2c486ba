import type { Agent } from '../agent.ts';

export const agent = {
  name: 'claude-code',
  title: 'Claude Code',
  called: ['claude', 'claudecode'],
  marks: ['CLAUDECODE'],
  session: 'CLAUDE_CODE_SESSION_ID',
  tellsServers: true,
  client: 'claude',
  // It takes a model that it does not know for a large one, and compacts by that.
  unknownWindow: 1_000_000,
  tools: [
    {
      does: 'shell',
      tool: 'Bash',
      args: { command: 'command', description: 'description' },
      waits: ['timeout', 'run_in_background', 'dangerouslyDisableSandbox'],
    },
    { does: 'read', tool: 'Read', args: { file: 'file_path', offset: 'offset', limit: 'limit' } },
    { does: 'write', tool: 'Write', args: { file: 'file_path', content: 'content' } },
    {
      does: 'edit',
      tool: 'Edit',
      args: {
        file: 'file_path',
        before: 'old_string',
        after: 'new_string',
        everywhere: 'replace_all',
      },
    },
  ],
  hooks: {
    events: {
      SessionStart: 'session-start',
      UserPromptSubmit: 'prompt',
      PostToolUse: 'tool',
      PreCompact: 'compaction',
      Stop: 'turn-end',
      SubagentStop: 'subagent-end',
      SessionEnd: 'session-end',
    },
    answer: 'hook-output',
    session: 'CLAUDE_CODE_SESSION_ID',
    pid: 'CLAUDE_PID',
    looks: [
      'Read',
      'Grep',
      'Glob',
      'LS',
      'WebFetch',
      'WebSearch',
      'ToolSearch',
      'TodoWrite',
      'TodoRead',
      'TaskList',
      'TaskGet',
      'Skill',
      'AskUserQuestion',
      'NotebookRead',
    ],
    writes: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
  },
} as const satisfies Agent;
