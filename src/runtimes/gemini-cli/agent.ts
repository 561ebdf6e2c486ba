import type { Agent } from '../agent.ts';

export const agent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  called: ['gemini'],
  marks: ['GEMINI_CLI'],
  session: 'GEMINI_SESSION_ID',
  client: 'gemini-cli',
  goesBy: { settings: ['.gemini', '.geminiignore'], words: ['GEMINI.md'] },
  tools: [
    {
      does: 'shell',
      tool: 'run_shell_command',
      args: { command: 'command', description: 'description', folder: 'dir_path' },
    },
    { does: 'read', tool: 'read_file', args: { file: 'file_path' } },
    // As older versions called it.
    {
      does: 'read',
      tool: 'read_file',
      args: { file: ['file_path', 'absolute_path'], offset: 'offset', limit: 'limit' },
    },
    { does: 'write', tool: 'write_file', args: { file: 'file_path', content: 'content' } },
    {
      does: 'edit',
      tool: 'replace',
      args: {
        file: 'file_path',
        before: 'old_string',
        after: 'new_string',
        everywhere: 'allow_multiple',
      },
    },
  ],
  hooks: {
    // It is greeted before the first turn: what its SessionStart adds spoils its sessions.
    events: {
      BeforeAgent: 'prompt',
      AfterTool: 'tool',
      AfterAgent: 'turn-end',
      SessionEnd: 'session-end',
    },
    answer: 'hook-output',
    timeout: 'milliseconds',
    named: true,
    looks: [
      'read_file',
      'read_many_files',
      'list_directory',
      'search_file_content',
      'glob',
      'grep_search',
      'google_web_search',
      'web_fetch',
      'save_memory',
      'write_todos',
    ],
    writes: ['write_file', 'replace'],
  },
} as const satisfies Agent;
