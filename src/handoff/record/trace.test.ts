import { expect, test } from 'vitest';
import { fixedTracing } from '../../../test/support/fixed-tracing.ts';
import { ada, bea, dawn, eve, stage } from '../../../test/support/world.ts';
import { readPacket } from '../history/history.ts';

test('a leg and its handoff are spans, and the successor’s are linked to the predecessor’s through the packet', async () => {
  const tracing = fixedTracing();
  const at = stage({ tracing });
  const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
  await at.clock.advance(1000);
  const handed = await leg.handoff({ to: 'agent:bea', claims: { next: 'dig' } });
  await at.clock.advance(500);
  const next = await at.staffetta.take({ as: bea });
  await next?.acknowledge();
  await at.clock.advance(100);
  await next?.complete({});
  const [first, handoff, second] = tracing.spans;
  expect(
    tracing.spans.map(({ name, startedAt, endedAt }) => [name, startedAt - dawn, (endedAt ?? 0) - dawn]),
  ).toEqual([
    ['staffetta.leg', 0, 1000],
    ['staffetta.handoff', 1000, 1500],
    ['staffetta.leg', 1500, 1600],
  ]);
  expect((await readPacket(at.context, handed.state.packet ?? handed.state.contract)).trace).toBe(
    first?.traceparent,
  );
  expect([first?.links, handoff?.links, second?.links]).toEqual([
    [],
    [first?.traceparent],
    [first?.traceparent],
  ]);
  expect(second?.attributes).toEqual({
    'staffetta.task': leg.task,
    'staffetta.generation': 2,
    'staffetta.lane': 'execute',
    'staffetta.holder': 'bea',
    'gen_ai.agent.name': 'bea',
    'gen_ai.operation.name': 'invoke_agent',
    'staffetta.occasion': 'complete',
  });
  expect(handed.findings.filter(({ rule }) => rule.includes('secret'))).toEqual([]);
});

test('a leg that ends without a packet is told all the same, and how badly', async () => {
  const tracing = fixedTracing();
  const at = stage({ tracing });
  const lapsed = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada, leaseMs: 1000 });
  await lapsed.checkpoint({});
  at.clock.set(at.clock.now() + 100_000);
  await at.staffetta.recover();
  await (await at.staffetta.take({ task: lapsed.task, as: bea }))?.fail('no wood');
  const cancelled = await at.staffetta.begin({ goal: 'Elm.' }, { as: ada });
  await at.staffetta.cancel(cancelled.task, 'enough', { as: eve });
  expect(tracing.spans.map(({ name, failure }) => [name, failure])).toEqual([
    ['staffetta.checkpoint', undefined],
    ['staffetta.leg', 'lapsed'],
    ['staffetta.handoff', undefined],
    ['staffetta.leg', 'failed'],
    ['staffetta.leg', undefined],
  ]);
  expect(tracing.spans[2]?.links).toEqual([tracing.spans[0]?.traceparent]);
});

test('a refused handoff tells no end of a leg, which goes on and ends once', async () => {
  const tracing = fixedTracing();
  const at = stage({ tracing, gate: 'refuse' });
  const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
  await expect(leg.handoff({ to: 'agent:bea' })).rejects.toMatchObject({ code: 'not-ready' });
  await expect(leg.handoff({ to: 'agent:bea' })).rejects.toMatchObject({ code: 'not-ready' });
  await leg.fail('no wood');
  const ended = tracing.spans.filter(({ endedAt }) => endedAt !== undefined);
  expect(ended.map(({ name, failure }) => [name, failure])).toEqual([['staffetta.leg', 'failed']]);
});

test('a dry run begins no span', async () => {
  const tracing = fixedTracing();
  const at = stage({ tracing });
  const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
  await leg.checkpoint({}, { dryRun: true });
  expect(tracing.spans).toHaveLength(0);
});

test('where nobody listens a packet has no trace', async () => {
  const at = stage({ tracing: { ...fixedTracing(), listening: false } });
  const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada });
  const { state } = await leg.checkpoint({});
  expect(await readPacket(at.context, state.packet ?? state.contract)).not.toHaveProperty('trace');
});
