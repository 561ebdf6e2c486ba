import type { Agent } from '../agent.ts';

/** Measured with 3.0.65. */
export const agent = {
  name: 'cline',
  title: 'Cline',
  called: ['cline-cli', 'clinebot'],
  marks: ['CLINE_CONNECTOR_CLI_LAUNCH'],
  // It sets none: of the session only hooks are told.
  session: 'CLINE_SESSION_ID',
  client: 'cline',
  goesBy: { settings: ['.cline'], words: ['.clinerules'] },
  tools: [
    { does: 'shell', tool: 'run_commands', args: { command: 'commands' }, listed: ['command'] },
    { does: 'edit', tool: 'editor', args: { file: 'path', before: 'old_text', after: 'new_text' } },
    { does: 'write', tool: 'editor', args: { file: 'path', content: 'new_text' } },
  ],
  hooks: {
    // It waits for those of tools alone: what any other says, nobody hears. So a session is greeted before its first call.
    events: {
      PreToolUse: 'call',
      PostToolUse: 'tool',
      TaskComplete: 'turn-end',
      TaskError: 'turn-end',
      TaskCancel: 'turn-end',
    },
    answer: 'context-modification',
    fields: {
      session: ['sessionContext', 'rootSessionId'],
      folder: ['workspaceInfo', 'rootPath'],
      tool: ['tool_result', 'name'],
      input: ['tool_result', 'input', 'commands'],
      parent: ['parent_agent_id'],
    },
    looks: ['read_files', 'search_codebase', 'fetch_web_content', 'ask_question', 'skills'],
    writes: ['editor'],
  },
} as const satisfies Agent;
