/** What a hop asks of the server: over a network each question is a wait. */
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { numbers } from '../../src/conformance/sample.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { postgresSpace } from '../support/postgres.ts';

const hopMax = 9;

test(`a hop takes at most ${hopMax} round trips: progress, handoff, take and acknowledge`, async () => {
  await using space = await postgresSpace();
  const relay = await openStaffetta({ gate: 'record', store: space.url, as: 'ada' });
  const asked = vi.spyOn(Client.prototype, 'query');
  const texts = (): string[] =>
    asked.mock.calls
      .map(([question]) => (typeof question === 'string' ? question : (question as { text: string }).text))
      // Nobody waits for the bell.
      .filter((text) => !text.includes('pg_notify'));
  let leg = await relay.begin({ goal: 'Carry this.', acceptance: ['it is there'] });
  await leg.acknowledge();
  const counts: number[] = [];
  for (const to of ['bea', 'cyd', 'bea', 'cyd']) {
    asked.mockClear();
    await leg.progress(1);
    await leg.handoff({
      to: `agent:${to}`,
      transcript: `What was said by ${leg.generation}.`,
      claims: { next: 'Go on.' },
    });
    const taken = await relay.take({ as: to });
    if (taken === undefined) throw new Error('nothing was taken');
    leg = taken;
    await leg.acknowledge();
    counts.push(texts().length);
  }
  if (counts.some((count) => count > hopMax))
    console.log(
      texts()
        .map((text) => text.slice(0, 110))
        .join('\n'),
    );
  expect(Math.max(...counts)).toBeLessThanOrEqual(hopMax);
  asked.mockRestore();
  await relay.close();
});

test('sixty offers to one address are rung for a few times, the last time after the last of them', async () => {
  await using space = await postgresSpace();
  const relay = await openStaffetta({ gate: 'record', store: space.url, as: 'ada' });
  await relay.open({ goal: 'The first.' }, { to: 'agent:bea' });
  const asked = vi.spyOn(Client.prototype, 'query');
  await Promise.all(
    numbers(60).map(async (n) => await relay.open({ goal: `Carry ${n}.` }, { to: 'agent:bea' })),
  );
  await relay.close();
  const texts = asked.mock.calls.map(([question]) => (question as { text?: string }).text ?? '');
  const rings = texts.flatMap((text, n) => (text.includes('pg_notify') ? [n] : []));
  expect(rings.length).toBeLessThan(30);
  expect(rings.at(-1)).toBeGreaterThan(texts.findLastIndex((text) => text.includes('append_1')));
  asked.mockRestore();
});
