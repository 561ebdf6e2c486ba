import { describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/index.ts';

const acceptance = ['It stands.'];

describe('a crew in code', () => {
  test('functions work along edges, review each other, and what changes can be listened to', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew({ parallel: 2 });
    const told: string[] = [];
    const code = crew.agent('code', { lane: 'execute', receives: 'full' }, async (leg, { story }) => {
      told.push(`code on ${leg.contract.title} after ${story?.sessions.length ?? 'no'} sessions`);
      await leg.acknowledge();
      await leg.note('Done.');
    });
    const research = crew.agent('research', { lane: 'execute' }, async (leg, { prompt }) => {
      told.push(prompt.includes('Posts are bought') ? 'research was briefed' : 'research knows nothing');
      await leg.acknowledge();
      await leg.handoff({ to: 'agent:code', claims: { next: 'Set them.' } });
    });
    const qa = crew.reviewer('qa', {}, async (review) => await review.approve('It stands.'));
    research.to(code, qa);
    code.to(qa);
    const run = await crew.run({
      name: 'fence',
      tasks: {
        posts: {
          goal: 'Posts are bought and set.',
          agent: research,
          acceptance,
          review: { owner: 'lane:audit' },
        },
        rails: { goal: 'Rails are on.', agent: code, needs: ['posts'], acceptance },
      },
    });
    const changes: string[] = [];
    for await (const { task, status } of run) changes.push(`${task} ${status}`);
    expect((await run.done).how).toBe('done');
    expect(told[0]).toBe('research was briefed');
    expect(changes).toContain('posts submitted');
    expect(changes.indexOf('posts done')).toBeLessThan(changes.indexOf('rails done'));
  });

  test('an edge that is not there is refused, and the run says who is waited for', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew();
    const refusals: string[] = [];
    const stray = crew.agent('stray', { lane: 'execute' }, async (leg) => {
      await leg.acknowledge();
      await leg
        .handoff({ to: 'agent:other', claims: { next: 'Yours.' } })
        .catch((error: { code: string }) => {
          refusals.push(error.code);
        });
      await leg.escalate('Nobody to hand it to.');
    });
    const other = crew.agent('other', { lane: 'execute' }, async () => {});
    other.to(stray);
    const run = await crew.run({
      name: 'lost',
      tasks: { one: { goal: 'One is there.', agent: stray, acceptance } },
    });
    while ((await relay.list({ statuses: ['escalated'] })).cards.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(refusals).toEqual(['edge-denied']);
    expect((await run.stop()).how).toBe('stopped');
  });
});
