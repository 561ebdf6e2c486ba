import type { Agent } from '../agent.ts';

export const agent = {
  name: 'opencode',
  title: 'opencode',
  called: ['open-code'],
  marks: ['OPENCODE'],
  session: 'OPENCODE_SESSION_ID',
  client: 'opencode',
  goesBy: { settings: ['.opencode', 'opencode.json', 'opencode.jsonc'], words: [] },
  tools: [
    {
      does: 'shell',
      tool: 'bash',
      args: { command: 'command', description: 'description', folder: 'workdir' },
      waits: ['timeout'],
    },
    { does: 'read', tool: 'read', args: { file: 'filePath', offset: 'offset', limit: 'limit' } },
    { does: 'write', tool: 'write', args: { file: 'filePath', content: 'content' } },
    {
      does: 'edit',
      tool: 'edit',
      args: {
        file: 'filePath',
        before: 'oldString',
        after: 'newString',
        everywhere: 'replaceAll',
      },
    },
  ],
  hooks: {
    // As our plugin for it names them.
    events: {
      'session-start': 'session-start',
      prompt: 'prompt',
      tool: 'tool',
      compaction: 'compaction',
      'turn-end': 'turn-end',
      'session-end': 'session-end',
    },
    answer: 'context',
    looks: ['read', 'grep', 'glob', 'list', 'webfetch', 'todowrite', 'todoread', 'skill'],
    writes: ['write', 'edit', 'multiedit', 'patch', 'apply_patch'],
  },
} as const satisfies Agent;
