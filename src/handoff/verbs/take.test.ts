import { describe, expect, test } from 'vitest';
import { opened } from '../../../test/support/verbs.ts';
import { ada, bea, cyd, dawn, eve, quinn, stage, worldText } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import { handoff } from './handoff.ts';
import { load } from '../record/load.ts';
import { accept, takeNext } from './take.ts';

describe('taking the next offer', () => {
  test('the oldest comes first', async () => {
    const { context, clock } = stage();
    const tasks = [];
    for (let n = 0; n < 3; n += 1) {
      tasks.push(await opened(context, {}, eve));
      await clock.advance(10);
    }
    for (const task of tasks) {
      const taken = await takeNext(context, {}, { by: bea });
      expect(taken?.state).toMatchObject({ task, status: 'held', leg: { holder: bea } });
    }
    expect(await takeNext(context, {}, { by: bea })).toBeUndefined();
  });

  test('without any hint the oldest still comes first', async () => {
    const { context, clock, world } = stage();
    const tasks = [];
    for (let n = 0; n < 3; n += 1) {
      tasks.push(await opened(context, {}, eve));
      await clock.advance(10);
    }
    world.hints.clear();
    for (const task of tasks) expect((await takeNext(context, {}, { by: bea }))?.state.task).toBe(task);
  });

  test('offers to others are left alone', async () => {
    const { context } = stage();
    await opened(context, { to: 'agent:cyd' }, eve);
    await opened(context, { to: 'lane:audit' }, eve);
    await opened(context, { to: 'runtime:codex' }, eve);
    await opened(context, { to: 'anyone', lane: 'audit' }, eve);
    expect(await takeNext(context, {}, { by: bea })).toBeUndefined();
    expect((await takeNext(context, {}, { by: quinn }))?.state.leg?.lane).toBe('audit');
    expect((await takeNext(context, {}, { by: cyd }))?.state.leg?.holder.name).toBe('cyd');
  });

  test('an actor without a lane finds what is offered to any lane', async () => {
    const { context } = stage();
    const task = await opened(context, { to: 'lane:audit' }, eve);
    const taken = await takeNext(context, {}, { by: { name: 'drifter', kind: 'agent' } });
    expect(taken?.state).toMatchObject({ task, leg: { lane: 'audit' } });
  });

  test('a hint that somebody else swallowed and died with delays nothing', async () => {
    const { context, store, clock } = stage();
    const task = await opened(context, {}, eve);
    await store.mailbox.receive(['anyone'], { now: clock.now(), hideMs: 10 ** 9, limit: 9 });
    expect((await takeNext(context, {}, { by: bea }))?.state.task).toBe(task);
  });

  test('a hint for an offer that is over is thrown away, and one for another is kept for its receiver', async () => {
    const { context, store, world, clock } = stage();
    const spent = await opened(context, {}, eve);
    await accept(context, spent, {}, { by: cyd });
    await store.mailbox.send({ to: 'lane:execute', task: spent, offer: 1, due: dawn });
    await opened(context, { to: 'anyone', lane: 'audit' }, eve);
    expect(await takeNext(context, {}, { by: bea })).toBeUndefined();
    expect(world.hints.size).toBe(1);
    clock.set(dawn + 10_000);
    expect((await takeNext(context, {}, { by: quinn }))?.state.leg?.lane).toBe('audit');
  });

  test('work that rests is not taken before its time', async () => {
    const { context, clock, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    await leg.retry('Rain.');
    const { notBefore } = (await load(context, leg.task)).state.offer ?? {};
    expect(await takeNext(context, {}, { by: bea })).toBeUndefined();
    clock.set(notBefore ?? 0);
    expect((await takeNext(context, {}, { by: bea }))?.state.task).toBe(leg.task);
  });

  test('blocked work is passed over, and taken as soon as its need is done, even if nobody noticed', async () => {
    const { context, staffetta, world } = stage();
    const need = await staffetta.begin({ goal: 'first' }, { as: ada });
    const { task } = await staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    expect(await takeNext(context, {}, { by: bea })).toBeUndefined();
    await need.complete();
    world.hints.clear();
    expect((await takeNext(context, {}, { by: bea }))?.state).toMatchObject({ task, unmet: [] });
  });

  test('the one who gave unchanged work away is not given it again', async () => {
    const { context, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    await leg.handoff({ to: 'agent:bea' });
    const second = await staffetta.take({ as: bea });
    await second?.acknowledge();
    await second?.handoff({ to: 'lane:execute' });
    expect(await takeNext(context, {}, { by: ada })).toBeUndefined();
    expect((await takeNext(context, {}, { by: cyd }))?.state.leg?.holder.name).toBe('cyd');
  });

  test('a leg whose holder fell silent is lapsed first and can be taken', async () => {
    const { context, clock, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    clock.set(dawn + limits.leaseMsDefault + 1);
    const taken = await takeNext(context, {}, { by: bea });
    expect(taken?.state).toMatchObject({ task: leg.task, generation: 2, leg: { holder: bea } });
  });

  test('a dry run shows what would be taken and moves nothing: no lapse, no hint, no leg', async () => {
    const { context, clock, staffetta, world } = stage();
    await staffetta.begin({ goal: 'x' }, { as: ada });
    const task = await opened(context, {}, eve);
    clock.set(dawn + limits.leaseMsDefault + 1);
    const before = worldText(world);
    expect((await takeNext(context, {}, { by: bea, dryRun: true }))?.state.task).toBe(task);
    expect(worldText(world)).toBe(before);
  });

  test('repeated with its key, it gives the leg it gave, not another', async () => {
    const { context } = stage();
    await opened(context, {}, eve);
    await opened(context, {}, eve);
    const first = await takeNext(context, {}, { by: bea, key: 'k' });
    const again = await takeNext(context, {}, { by: bea, key: 'k' });
    expect(again).toMatchObject({ repeated: true, state: { task: first?.state.task } });
  });

  test('repeated with its key after that leg ended, it still gives the first outcome and takes nothing else', async () => {
    const { context, staffetta, world } = stage();
    await opened(context, { to: 'agent:bea' }, eve);
    const leg = await staffetta.take({ as: bea, key: 'k' });
    await leg?.acknowledge();
    await leg?.handoff({ to: 'agent:cyd' });
    const other = await opened(context, { to: 'agent:bea' }, eve);
    const before = worldText(world);
    for (const dryRun of [true, false]) {
      const again = await takeNext(context, {}, { by: bea, key: 'k', dryRun });
      expect(again).toMatchObject({ repeated: true, state: { task: leg?.task }, entry: { seq: 1 } });
    }
    await expect(staffetta.take({ as: bea, key: 'k' })).rejects.toMatchObject({ code: 'stale-generation' });
    expect(worldText(world)).toBe(before);
    expect((await staffetta.take({ as: bea, key: 'k2' }))?.task).toBe(other);
  });

  test('the key belongs to one request of one actor', async () => {
    const { context, staffetta } = stage();
    await staffetta.begin({ goal: 'x' }, { as: bea, key: 'k' });
    const first = await opened(context, {}, eve);
    const second = await opened(context, {}, eve);
    expect((await takeNext(context, {}, { by: bea, key: 'k' }))?.state.task).toBe(first);
    expect((await takeNext(context, {}, { by: cyd, key: 'k' }))?.state.task).toBe(second);
    await expect(takeNext(context, { leaseMs: 5000 }, { by: bea, key: 'k' })).rejects.toMatchObject({
      code: 'key-reused',
    });
  });

  test('many pages of offers to others do not hide the one that is for this actor', async () => {
    const { context, world } = stage();
    const wanted = await opened(context, { to: 'agent:bea' }, eve);
    for (let n = 0; n < limits.pageMax + 5; n += 1) await opened(context, { to: 'agent:cyd' }, eve);
    world.hints.clear();
    expect((await takeNext(context, {}, { by: bea }))?.state.task).toBe(wanted);
  });
});

describe('P1: taking a named task', () => {
  test('of many that try at once exactly one succeeds, and each loser is told who holds it and until when', async () => {
    const { context } = stage();
    const task = await opened(context, {}, eve);
    const crew = Array.from({ length: 12 }, (_, n) => ({ ...ada, name: `agent-${n}` }));
    const results = await Promise.allSettled(
      crew.map(async (by) => await accept(context, task, { leaseMs: 5000 }, { by })),
    );
    const winners = results.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const { state } = await load(context, task);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({
        code: 'held',
        details: { holder: state.leg?.holder.name, leaseUntil: dawn + 5000 },
      });
    }
    expect(state).toMatchObject({ seq: 1, generation: 1 });
  });

  test('the lease named in the refusal is the one in force, renewals included', async () => {
    const { context, clock, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    await clock.advance(20_000);
    await leg.renew();
    await expect(accept(context, leg.task, {}, { by: bea })).rejects.toMatchObject({
      details: { leaseUntil: dawn + 20_000 + limits.leaseMsDefault },
    });
  });

  test('the leg that starts takes its hint along', async () => {
    const { context, world } = stage();
    const task = await opened(context, {}, eve);
    expect(world.hints.size).toBe(1);
    await accept(context, task, {}, { by: bea });
    expect(world.hints.size).toBe(0);
  });

  test('an offer made anew is not taken by who asked for the one before', async () => {
    const { context, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    await handoff(context, { task: leg.task, generation: 1 }, { to: 'agent:bea' }, { by: ada });
    await staffetta.withdraw(leg.task, {}, { as: ada });
    await handoff(context, { task: leg.task, generation: 2 }, { to: 'agent:bea' }, { by: ada });
    await expect(accept(context, leg.task, { offer: 1 }, { by: bea })).rejects.toMatchObject({
      code: 'unknown-offer',
      details: { offer: 2 },
    });
    await accept(context, leg.task, { offer: 2 }, { by: bea });
  });
});
