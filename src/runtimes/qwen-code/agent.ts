import type { Agent } from '../agent.ts';

/** Measured with 0.24.4. */
export const agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  called: ['qwen', 'qwencode', 'qwen-cli'],
  marks: ['QWEN_CODE'],
  session: 'QWEN_CODE_SESSION_ID',
  tellsServers: true,
  client: 'qwen-cli-mcp-client',
  goesBy: { settings: ['.qwen'], words: ['QWEN.md'] },
  tools: [
    {
      does: 'shell',
      tool: 'run_shell_command',
      args: { command: 'command', description: 'description', folder: 'directory' },
      waits: ['is_background', 'timeout'],
    },
    { does: 'read', tool: 'read_file', args: { file: 'file_path', offset: 'offset', limit: 'limit' } },
    { does: 'write', tool: 'write_file', args: { file: 'file_path', content: 'content' } },
    {
      does: 'edit',
      tool: 'edit',
      args: {
        file: 'file_path',
        before: 'old_string',
        after: 'new_string',
        everywhere: 'replace_all',
      },
    },
  ],
  hooks: {
    // A call that failed has an event of its own. Without a terminal no end of a session is told.
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
    answer: 'hook-output',
    session: 'QWEN_CODE_SESSION_ID',
    looks: [
      'read_file',
      'list_directory',
      'grep_search',
      'glob',
      'web_fetch',
      'tool_search',
      'skill',
      'list_agents',
      'get_goal',
      'todo_write',
      'zoom_image',
      'read_mcp_resource',
      'ask_user_question',
    ],
    writes: ['write_file', 'edit', 'notebook_edit'],
  },
} as const satisfies Agent;
