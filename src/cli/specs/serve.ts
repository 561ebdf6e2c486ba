import type { CommandSpec } from '../spec.ts';

export const serveSpecs: readonly CommandSpec[] = [
  {
    name: 'mcp',
    group: 'Keep',
    summary: 'Serve agents over the Model Context Protocol, on standard input and output',
    examples: ['staffetta mcp', 'staffetta mcp --as code --lane execute'],
    load: async () => await import('../commands/mcp.ts'),
  },
];
