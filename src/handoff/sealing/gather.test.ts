import { describe, expect, test } from 'vitest';
import { stage } from '../../../test/support/world.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Context } from '../record/context.ts';
import { gather } from './gather.ts';

function withoutGit(): Context {
  return {
    ...stage().context,
    workspace: async () => await Promise.reject(new StaffettaError('git-failed', 'The index is corrupt.')),
  };
}

const input = { claims: { next: 'go on' }, transcript: 'what was said' };

describe('a workspace that cannot be read', () => {
  test('in an emergency the words are kept, and a loss says why there is no workspace', async () => {
    const material = await gather(withoutGit(), input, { emergency: true });
    expect(material.input.claims).toEqual({ next: 'go on' });
    expect(material.chunks).toHaveLength(1);
    expect(material.facts).toEqual({});
    expect(material.input.losses).toEqual([{ what: 'the workspace', why: 'The index is corrupt.' }]);
  });

  test('otherwise the seal fails with the error', async () => {
    await expect(gather(withoutGit(), input)).rejects.toMatchObject({ code: 'git-failed' });
  });
});
