/** P7: a reviewer in a leg of its own changes nothing, and sends back what is not good enough. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, quinn, stage, type Stage } from '../../../test/support/world.ts';
import { assert } from '../../core/base/assert.ts';
import type { Leg } from './leg.ts';

let folder: GitFolder;
let at: Stage;

beforeEach(() => {
  folder = new GitFolder({ 'limit.js': 'export const limit = 10;\n' });
  at = stage({ gate: 'refuse', workspace: folder.path });
});

afterEach(() => folder.remove());

const contract = {
  goal: 'Requests over the limit in limit.js get status 429 with a Retry-After header.',
  acceptance: ['limit.js says 20'],
  nonGoals: ['limits per user'],
  validation: [{ run: ['node', 'limit.js'] }],
  review: { owner: 'lane:audit' as const },
};
const claims = {
  done: [{ text: 'limit.js counts requests', evidence: ['file:limit.js'] }],
  next: 'make the header in limit.js a whole number of seconds',
};
const findings = [{ path: 'limit.js', line: 1, text: 'It is too much.' }];

/** Ada changed the limit and handed it over; quinn looks at it. */
async function reviewing(): Promise<Leg> {
  const given = await at.staffetta.begin(contract, { as: ada });
  folder.write('limit.js', 'export const limit = 20;\n');
  await given.handoff({ to: 'lane:audit', claims });
  const leg = await at.staffetta.take({ task: given.task, as: quinn });
  assert(leg !== undefined, 'nothing was taken');
  await leg.acknowledge();
  return leg;
}

describe('a review leg', () => {
  test('may not change what it reviews', async () => {
    const leg = await reviewing();
    folder.write('limit.js', 'export const limit = 21;\n');
    await expect(leg.handoff({ to: 'lane:execute', claims })).rejects.toMatchObject({
      code: 'audit-changed',
    });
    await expect(leg.sendBack(findings)).rejects.toMatchObject({ code: 'audit-changed' });
    folder.write('limit.js', 'export const limit = 20;\n');
    expect((await leg.handoff({ to: 'lane:execute', claims })).state.status).toBe('offered');
  });

  test('sends the work back from a workspace that it left as it was, and its author goes on', async () => {
    const leg = await reviewing();
    expect((await leg.sendBack(findings)).state).toMatchObject({ status: 'rework', rework: 1 });
    expect((await at.staffetta.take({ task: leg.task, as: ada }))?.holder.name).toBe('ada');
  });

  test('gives the work back with its blockers as findings, also to its author by name', async () => {
    const leg = await reviewing();
    const blockers = [{ text: 'limit.js:1: it is too much', evidence: ['file:limit.js'] }];
    const { state, entry } = await leg.handoff({ to: 'agent:ada', claims: { ...claims, blockers } });
    expect(state).toMatchObject({ status: 'rework', offer: { to: 'agent:ada', lane: 'execute' } });
    expect(entry?.events[2]).toMatchObject({
      findings: [{ path: 'limit.js', line: 1, text: 'it is too much' }],
    });
  });
});
