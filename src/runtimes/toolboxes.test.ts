import { expect, test } from 'vitest';
import { allRuntimes } from './index.ts';

const toolboxes = allRuntimes({ HOME: '/nowhere' }).map(({ name, tools }) => [name, tools] as const);

test.each(toolboxes)(
  '%s: a name that came with a history leads to its server, and to no other',
  (_, tools) => {
    expect(tools.serverOf('mcp__github__create_issue')).toBe('github');
  },
);

test.each(toolboxes)('%s: its own tools belong to no server', (_, tools) => {
  for (const tool of Object.keys({ ...tools.own, ...tools.also })) expect(tools.serverOf(tool)).toBeNull();
});
