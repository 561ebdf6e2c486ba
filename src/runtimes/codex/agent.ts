import type { Agent } from '../agent.ts';

export const agent = {
  name: 'codex',
  title: 'Codex',
  called: ['codex-cli'],
  marks: ['CODEX_SANDBOX', 'CODEX_THREAD_ID'],
  session: 'CODEX_THREAD_ID',
  tellsServers: true,
  client: 'codex',
  // Files are read with commands, and whether there is an `apply_patch` depends on the model.
  asksTrust: true,
  goesBy: { settings: ['.codex'], words: ['CODEX.md'] },
  tools: [
    {
      does: 'shell',
      tool: 'exec_command',
      args: { command: 'cmd', folder: 'workdir' },
      waits: [
        'yield_time_ms',
        'max_output_tokens',
        'shell',
        'login',
        'tty',
        'justification',
        'sandbox_permissions',
        'prefix_rule',
      ],
    },
    ...['shell_command', 'shell', 'local_shell', 'container.exec'].map(
      (tool) =>
        ({
          does: 'shell',
          tool,
          args: { command: 'command', folder: 'workdir' },
          waits: ['timeout_ms', 'login', 'justification', 'sandbox_permissions'],
        }) as const,
    ),
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
    // More is not granted, and what is not granted is not what it trusts.
    endSecondsMax: 3,
    looks: ['update_plan', 'view_image'],
    writes: ['apply_patch'],
  },
} as const satisfies Agent;
