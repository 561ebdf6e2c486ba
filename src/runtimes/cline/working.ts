/** Cline with nobody before it: by the Agent Client Protocol, in which it asks for each tool. */
import type { PermissionName } from '../../core/plan/crew.ts';
import type { Working } from '../../ports/runtime.ts';
import { inherited, settled } from './launch.ts';

const held: readonly PermissionName[] = ['read', 'edit', 'execute', 'network'];

export const working: Working = {
  // It would be asked nothing: all its tools are allowed, or none.
  headless: () => null,
  hear: () => [],
  acp: {
    program: 'cline',
    args: ['--acp'],
    wants:
      'Set CLINE_API_KEY, CLINE_PROVIDER and CLINE_MODEL, or sign in to an account of its makers: by this protocol the provider in its settings is not enough.',
    looks: ['plan'],
    env: () => ({ ...Object.fromEntries(inherited.map((name) => [name, null])), ...settled }),
    holds: () => held,
  },
};
