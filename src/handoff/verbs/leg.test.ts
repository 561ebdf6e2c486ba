import { describe, expect, test } from 'vitest';
import { ada, bea, dawn, eve, stage } from '../../../test/support/world.ts';
import { createWorld, openMemoryStore } from '../../stores/memory/open.ts';
import { Leg } from './leg.ts';
import { load } from '../record/load.ts';

const goal = { goal: 'The fence stands.', acceptance: ['No gaps.', 'No nails.'] };

describe('the handle of a holder', () => {
  test('it knows its contract, its generation and what was left for it', async () => {
    const { staffetta } = stage();
    const first = await staffetta.begin(goal, { as: ada });
    expect(first).toMatchObject({ generation: 1, lane: 'execute', received: null, contract: goal });
    await first.handoff({ to: 'agent:bea', claims: { next: 'Paint it.' }, why: 'Done sawing.' });
    const second = await staffetta.take({ as: bea });
    expect(second).toMatchObject({
      generation: 2,
      holder: bea,
      received: { claims: { next: 'Paint it.' }, from: ada, generation: 1 },
    });
    expect(second?.fence).toBe(`${first.task}/2`);
  });

  test('an acknowledgement without words restates the contract and the next action', async () => {
    const { staffetta } = stage();
    const first = await staffetta.begin(goal, { as: ada });
    await first.handoff({ to: 'agent:bea', claims: { next: 'Paint it.' } });
    const second = await staffetta.take({ as: bea });
    await second?.acknowledge();
    const entries = [];
    for await (const item of staffetta.history(first.task))
      if (item.kind === 'entry') entries.push(item.entry);
    expect(entries.at(-1)?.events).toEqual([
      {
        type: 'leg-acknowledged',
        v: 1,
        goal: 'The fence stands.',
        gate: 'No gaps.\nNo nails.',
        next: 'Paint it.',
      },
    ]);
  });

  test('every method of a former holder is refused', async () => {
    const { staffetta, context } = stage();
    const leg = await staffetta.begin(goal, { as: ada });
    await leg.handoff({ to: 'agent:bea' });
    await staffetta.take({ as: bea });
    const before = await load(context, leg.task);
    const late: Readonly<Record<string, () => Promise<unknown>>> = {
      acknowledge: async () => await leg.acknowledge(),
      note: async () => await leg.note('x'),
      decide: async () => await leg.decide('x'),
      ask: async () => await leg.ask('x'),
      ruleOut: async () => await leg.ruleOut('x', 'y'),
      progress: async () => await leg.progress(1),
      messages: async () => await leg.messages(),
      markRead: async () => await leg.markRead([{ seq: 0, from: 'eve', at: 0, text: 'x' }]),
      amend: async () => await leg.amend({ constraints: ['x'] }, 'y'),
      checkpoint: async () => await leg.checkpoint(),
      handoff: async () => await leg.handoff({ to: 'anyone' }),
      submit: async () => await leg.submit(),
      complete: async () => await leg.complete(),
      fail: async () => await leg.fail('x'),
      retry: async () => await leg.retry('x'),
      decline: async () => await leg.decline(['x']),
      escalate: async () => await leg.escalate('x'),
      effect: async () => await leg.effect('x', () => 1),
      settle: async () => await leg.settle('x', 'failed'),
    };
    for (const [name, act] of Object.entries(late)) {
      const error: unknown = await act().catch((caught: unknown) => caught);
      expect([name, error]).toEqual([name, expect.objectContaining({ code: 'stale-generation' })]);
    }
    expect(await leg.renew()).toBeNull();
    expect(await load(context, leg.task)).toEqual(before);
  });

  test('renewing extends the lease without an entry, and never shortens it', async () => {
    const { staffetta, clock, context } = stage();
    const leg = await staffetta.begin(goal, { as: ada, leaseMs: 60_000 });
    await clock.advance(1000);
    expect(await leg.renew()).toBe(dawn + 61_000);
    expect(await leg.renew(1000)).toBe(dawn + 61_000);
    const { state, lease } = await load(context, leg.task);
    expect(state.seq).toBe(0);
    expect(lease).toEqual({ generation: 1, until: dawn + 61_000 });
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 10 ** 12])(
    'a renewal by %d ms is refused like such a lease is',
    async (leaseMs) => {
      const { staffetta, context } = stage();
      const leg = await staffetta.begin(goal, { as: ada });
      const before = await load(context, leg.task);
      await expect(leg.renew(leaseMs)).rejects.toMatchObject({ code: 'invalid-input' });
      expect(await load(context, leg.task)).toEqual(before);
    },
  );

  test('a question asked again with its key has the number it had', async () => {
    const { staffetta } = stage();
    const leg = await staffetta.begin(goal, { as: ada });
    expect(await leg.ask('Oak?', {}, { key: 'q1' })).toBe(1);
    expect(await leg.ask('Nails?')).toBe(2);
    expect(await leg.ask('Oak?', {}, { key: 'q1' })).toBe(1);
  });

  test('the number of a question is its own, also among other remarks of the same entry', async () => {
    const { staffetta } = stage();
    const leg = await staffetta.begin(goal, { as: ada });
    await leg.decide('Oak.', { why: 'It lasts.' });
    expect(await leg.ask('Nails?')).toBe(2);
    expect((await leg.state()).raised).toMatchObject([{ decision: 2, question: 'Nails?' }]);
  });
});

describe('finding a leg again', () => {
  test('repeating a take with its key gives the same leg while it lasts', async () => {
    const { staffetta } = stage();
    const { task } = await staffetta.open(goal, { as: eve });
    const first = await staffetta.take({ task, as: bea, key: 'k' });
    const again = await staffetta.take({ task, as: bea, key: 'k' });
    expect(again?.fence).toBe(first?.fence);
  });

  test('P3: repeating a take after the leg is over gives nobody a handle on somebody else', async () => {
    const { staffetta } = stage();
    const { task } = await staffetta.open(goal, { as: eve });
    const first = await staffetta.take({ task, as: bea, key: 'k' });
    await first?.acknowledge();
    await first?.handoff({ to: 'agent:ada' });
    await expect(staffetta.take({ task, as: bea, key: 'k' })).rejects.toMatchObject({
      code: 'stale-generation',
    });
    await staffetta.take({ task, as: ada });
    await expect(staffetta.take({ task, as: bea, key: 'k' })).rejects.toMatchObject({
      code: 'stale-generation',
    });
  });

  test('P3: repeating a begin after the leg is over does not either', async () => {
    const { staffetta } = stage();
    const begin = async (): Promise<Leg> => await staffetta.begin(goal, { as: ada, key: 'k' });
    const leg = await begin();
    expect((await begin()).fence).toBe(leg.fence);
    await leg.handoff({ to: 'agent:bea' });
    await expect(begin()).rejects.toMatchObject({ code: 'stale-generation' });
    await staffetta.take({ as: bea });
    await expect(begin()).rejects.toMatchObject({ code: 'stale-generation' });
  });

  test('there is no handle on what nobody holds', async () => {
    const { staffetta, context } = stage();
    const task = await staffetta.open(goal, { as: ada });
    await expect(Leg.from(context, task)).rejects.toMatchObject({ code: 'wrong-state' });
  });

  test('it hands over by what it took over: nothing is read again, not even the head', async () => {
    const real = openMemoryStore(createWorld());
    const read: string[] = [];
    const { staffetta } = stage({
      store: {
        ...real,
        journal: {
          ...real.journal,
          head: async (task) => (read.push('head'), await real.journal.head(task)),
        },
        blobs: { ...real.blobs, get: async (digest) => (read.push(digest), await real.blobs.get(digest)) },
      },
    });
    await (await staffetta.begin(goal, { as: ada })).handoff({ to: 'agent:bea' });
    const leg = await staffetta.take({ as: bea });
    await leg?.acknowledge();
    read.length = 0;
    await leg?.handoff({ to: 'agent:ada', claims: { next: 'Paint it.' } });
    expect(read).toEqual([]);
  });

  test('it is judged by the contract that is in force, not by the one that it took over', async () => {
    const { staffetta } = stage();
    const leg = await staffetta.begin(goal, { as: ada });
    expect(() => leg.contract.acceptance?.push('tbd')).toThrow(TypeError);
    await staffetta.amend(leg.task, { change: { acceptance: ['tbd'] }, why: 'Later.' }, { as: eve });
    const { findings } = await leg.handoff({ to: 'agent:bea', claims: { next: 'Paint it.' } });
    expect(findings.map(({ path }) => path)).toContain('contract.acceptance[0]');
  });
});
