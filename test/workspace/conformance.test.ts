/** Both kinds of workspace keep every sentence of the port. */
import { describe, expect, test } from 'vitest';
import { allWorkspaceCases, runWorkspaceConformance } from '../../src/conformance/index.ts';
import { workspaceScratch } from './scratch.ts';

describe.each(['git', 'folder'] as const)('a %s workspace', (kind) => {
  test.each(allWorkspaceCases)('$id $title', async (one) => {
    const { id, title } = one;
    expect(await runWorkspaceConformance(workspaceScratch(kind), [one])).toEqual([{ id, title, ok: true }]);
  });
});
