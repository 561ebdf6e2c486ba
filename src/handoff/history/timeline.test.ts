import { expect, test } from 'vitest';
import { ada, bea, cyd, dawn, quinn, stage } from '../../../test/support/world.ts';
import { timeline } from './timeline.ts';

test('every leg is there, in order: who, in which lane, from when to when, and why it changed hands', async () => {
  const { staffetta, context, clock } = stage();
  const first = await staffetta.begin({ goal: 'x' }, { as: ada });
  await first.note('one');
  await first.decide('two');
  await first.checkpoint();
  await clock.advance(1000);
  await first.handoff({ to: 'agent:bea', why: 'Sawing is done.' });
  await staffetta.take({ as: bea, leaseMs: 1000 });
  clock.set(dawn + 5000);
  const third = await staffetta.take({ as: cyd });
  await third?.acknowledge();
  await third?.ruleOut('glue', 'rain');
  await third?.handoff({ to: 'lane:audit' });
  const fourth = await staffetta.take({ as: quinn });
  await fourth?.acknowledge();
  expect(await timeline(context, first.task)).toEqual([
    {
      generation: 1,
      agent: 'ada',
      lane: 'execute',
      from: dawn,
      until: dawn + 1000,
      ended: 'handed-off',
      why: 'Sawing is done.',
      notes: 2,
      packets: 2,
    },
    {
      generation: 2,
      agent: 'bea',
      lane: 'execute',
      from: dawn + 1000,
      until: dawn + 5000,
      ended: 'lapsed',
      why: 'its lease ran out',
      notes: 0,
      packets: 0,
    },
    {
      generation: 3,
      agent: 'cyd',
      lane: 'execute',
      from: dawn + 5000,
      until: dawn + 5000,
      ended: 'handed-off',
      why: null,
      notes: 1,
      packets: 1,
    },
    {
      generation: 4,
      agent: 'quinn',
      lane: 'audit',
      from: dawn + 5000,
      until: null,
      ended: null,
      why: null,
      notes: 0,
      packets: 0,
    },
  ]);
});

test('a task that nobody ever held has no legs', async () => {
  const { staffetta, context } = stage();
  const { task } = await staffetta.open({ goal: 'x' }, { as: ada });
  expect(await timeline(context, task)).toEqual([]);
});

test('a timeline longer than a page of entries is whole', async () => {
  const { staffetta, context } = stage();
  const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
  for (let n = 0; n < 600; n += 1) await leg.note(`${n}`);
  const [only] = await timeline(context, leg.task);
  expect(only?.notes).toBe(600);
});
