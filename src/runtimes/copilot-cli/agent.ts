import type { Agent } from '../agent.ts';

/** Measured with 1.0.102. */
export const agent = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  called: ['copilot', 'github-copilot', 'copilotcli'],
  marks: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'],
  session: 'COPILOT_AGENT_SESSION_ID',
  tellsServers: true,
  recordsAfterMs: 1500,
  client: 'copilot-cli',
  asksTrust: true,
  goesBy: {
    settings: ['.copilot', '.github/hooks', '.github/agents', '.github/extensions'],
    words: [
      'copilot-instructions.md',
      '.github/instructions',
      '.github/prompts',
      '.github/chatmodes',
      '.github/skills',
    ],
  },
  tools: [
    {
      does: 'shell',
      tool: 'bash',
      args: { command: 'command', description: 'description' },
      waits: ['shellId', 'mode', 'detach', 'initial_wait'],
    },
    { does: 'read', tool: 'view', args: { file: 'path' } },
    { does: 'write', tool: 'create', args: { file: 'path', content: 'file_text' } },
    { does: 'edit', tool: 'edit', args: { file: 'path', before: 'old_str', after: 'new_str' } },
  ],
  hooks: {
    // By these names it tells of events as Claude Code does, and calls its own tools by the names of that program's.
    events: {
      SessionStart: 'session-start',
      UserPromptSubmit: 'prompt',
      PostToolUse: 'tool',
      PostToolUseFailure: 'tool',
      PreCompact: 'compaction',
      Stop: 'turn-end',
      SubagentStop: 'subagent-end',
      SessionEnd: 'session-end',
    },
    answer: 'additional-context',
    pid: 'COPILOT_LOADER_PID',
    runsOthers: 'COPILOT_PROJECT_DIR',
    looks: [
      'Read',
      'Grep',
      'Glob',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'AskUserQuestion',
      'read_bash',
      'list_bash',
      'list_agents',
      'read_agent',
      'skill',
      'session_store_sql',
      'fetch_copilot_cli_documentation',
    ],
    writes: ['Write', 'Edit'],
  },
} as const satisfies Agent;
