import { describe, expect, test } from 'vitest';
import { opened } from '../../../test/support/verbs.ts';
import { ada, bea, dawn, eve, interrupted, quinn, stage, worldText } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import { carry } from './carry.ts';
import { complete } from './finish.ts';
import { load } from '../record/load.ts';
import { open } from './open.ts';
import { recover } from './recover.ts';
import { accept } from './take.ts';

const later = dawn + limits.leaseMsDefault + 1;
const nothing = { lapsed: [], expired: [], freed: [], escalated: [], dead: [], doubted: [], damaged: [] };

describe('recovering', () => {
  test('a leg whose lease is over lapses, and its work is on offer again', async () => {
    const { context, clock, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    clock.set(later);
    expect(await recover(context)).toEqual({ ...nothing, hinted: 0, lapsed: [leg.task] });
    const { state, lease } = await load(context, leg.task);
    expect(state).toMatchObject({
      status: 'lapsed',
      leg: null,
      offer: { cause: 'lapse' },
      updatedBy: 'staffetta',
    });
    expect(lease).toBeNull();
  });

  test('a lease that still runs is left alone, through its last millisecond', async () => {
    const { context, clock, staffetta } = stage();
    await staffetta.begin({ goal: 'x' }, { as: ada });
    clock.set(later - 1);
    expect(await recover(context)).toEqual({ ...nothing, hinted: 0 });
  });

  test('an offer that nobody took in time is made again, and counts as an attempt', async () => {
    const { context, clock } = stage();
    const task = await opened(context, { expiresMs: 1000 }, eve);
    clock.set(dawn + 1001);
    expect(await recover(context)).toEqual({ ...nothing, hinted: 0, expired: [task] });
    expect((await load(context, task)).state.offer).toMatchObject({ offer: 2, cause: 'expiry', attempt: 2 });
  });

  test('work that lapsed once too often is named among the dead', async () => {
    const { context, clock } = stage();
    const { state } = await open(context, { goal: 'x', caps: { attempts: 1 } }, { take: true }, { by: ada });
    clock.set(later);
    expect(await recover(context)).toEqual({
      ...nothing,
      lapsed: [state.task],
      dead: [state.task],
      hinted: 0,
    });
    expect((await load(context, state.task)).state.status).toBe('escalated');
  });

  test('a task is freed when its need is done, if a crash kept it from being told', async () => {
    const calm = stage();
    const need = await calm.staffetta.begin({ goal: 'first' }, { as: ada });
    const { task } = await calm.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    // The process that completed the need died right after its own append.
    const dying = stage({
      world: calm.world,
      clock: calm.clock,
      reached: (step) => {
        if (step === 'done:needs-listed') throw new Error('killed');
      },
    });
    const leg = await dying.staffetta.leg(need.task, { as: ada });
    await expect(leg.complete()).rejects.toThrow('killed');
    expect((await load(calm.context, task)).state.status).toBe('blocked');
    expect(await recover(calm.context)).toEqual({ ...nothing, hinted: 0, freed: [task] });
    expect((await load(calm.context, task)).state).toMatchObject({ status: 'offered', unmet: [] });
    expect((await calm.staffetta.take({ as: bea }))?.task).toBe(task);
  });

  test('lost hints are sent again for every offer that can be taken', async () => {
    const { context, world } = stage();
    await opened(context, {}, eve);
    await opened(context, { to: 'agent:bea' }, eve);
    world.hints.clear();
    expect((await recover(context)).hinted).toBe(2);
    expect([...world.hints.values()].map((hint) => hint.to).toSorted()).toEqual([
      'agent:bea',
      'lane:execute',
    ]);
  });

  test('a hint for work that rests is not due before its time', async () => {
    const { context, world, staffetta } = stage();
    const leg = await staffetta.begin({ goal: 'x' }, { as: ada });
    await leg.retry('Rain.');
    world.hints.clear();
    await recover(context);
    const { offer } = (await load(context, leg.task)).state;
    expect([...world.hints.values()][0]?.due).toBe(offer?.notBefore);
  });

  test('running it again changes nothing', async () => {
    const { context, clock, staffetta, world } = stage();
    await staffetta.begin({ goal: 'lapses' }, { as: ada });
    await opened(context, { expiresMs: 1000 }, eve);
    await opened(context, {}, eve);
    const need = await staffetta.begin({ goal: 'need' }, { as: quinn });
    await staffetta.open({ goal: 'blocked', needs: [need.task] }, { as: eve });
    await need.complete();
    clock.set(later);
    await recover(context);
    const before = worldText(world);
    expect(await recover(context)).toMatchObject(nothing);
    expect(worldText(world)).toBe(before);
  });

  test('several at once do what one would have done', async () => {
    const alone = stage();
    await alone.staffetta.begin({ goal: 'x' }, { as: ada });
    alone.clock.set(later);
    await recover(alone.context);

    const crowd = stage();
    await crowd.staffetta.begin({ goal: 'x' }, { as: ada });
    crowd.clock.set(later);
    const results = await Promise.all(Array.from({ length: 5 }, async () => await recover(crowd.context)));
    expect(results.flatMap((result) => result.lapsed)).toHaveLength(1);
    expect(worldText(crowd.world)).toBe(worldText(alone.world));
  });

  test('P1: a renewal that arrives at any moment of a recovery wins or comes too late, and never both', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const leg = await calm.staffetta.begin({ goal: 'x' }, { as: ada });
      calm.clock.set(later);
      let renewed: number | null = null;
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        renewed = await leg.renew();
      });
      const { lapsed } = await recover(busy.context);
      happens = happened();
      const { state } = await load(calm.context, leg.task);
      const outcome = { renewed: renewed !== null, lapsed: lapsed.length, held: state.leg !== null };
      expect([
        { renewed: true, lapsed: 0, held: true },
        { renewed: false, lapsed: 1, held: false },
      ]).toContainEqual(outcome);
    }
  });

  test('a holder that writes at any moment of a recovery is either refused or not lapsed', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const leg = await calm.staffetta.begin({ goal: 'x' }, { as: ada });
      calm.clock.set(later);
      let wrote = false;
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        const note = carry(calm.context, leg, [{ type: 'note', text: 'alive' }], { by: ada });
        wrote = await note.then(
          () => true,
          () => false,
        );
      });
      const { lapsed } = await recover(busy.context);
      happens = happened();
      expect({ wrote, lapsed: lapsed.length }).toEqual({ wrote, lapsed: wrote ? 0 : 1 });
    }
  });

  test('a task that is gone before it can be looked at does not stop the others', async () => {
    const calm = stage();
    const doomed = await calm.staffetta.begin({ goal: 'doomed' }, { as: ada });
    const silent = await calm.staffetta.begin({ goal: 'silent' }, { as: bea });
    calm.clock.set(later);
    const { stage: busy } = interrupted(calm, 2, async () => {
      await calm.staffetta.cancel(doomed.task, 'Flood.', { as: eve });
      calm.clock.set(later + 1);
      await calm.staffetta.sweep({ olderThanMs: 0 });
      expect(await calm.store.journal.head(doomed.task)).toBeUndefined();
    });
    expect((await recover(busy.context)).lapsed).toEqual([silent.task]);
  });

  test('an offer that is gone at any moment does not stop it either', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const task = await opened(calm.context, {}, eve);
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        await calm.staffetta.cancel(task, 'Flood.', { as: eve });
        calm.clock.set(dawn + 1);
        await calm.staffetta.sweep({ olderThanMs: 0 });
      });
      expect(await recover(busy.context)).toMatchObject(nothing);
      happens = happened();
    }
  });
});

describe('needs', () => {
  test('completing a task frees those that waited for it, and wakes their receivers', async () => {
    const { staffetta, context, world } = stage();
    const need = await staffetta.begin({ goal: 'first' }, { as: ada });
    const { task } = await staffetta.open(
      { goal: 'second', needs: [need.task] },
      { as: eve, to: 'agent:bea' },
    );
    expect(world.hints.size).toBe(0);
    await need.complete();
    expect((await load(context, task)).state).toMatchObject({ status: 'offered', unmet: [] });
    expect([...world.hints.values()]).toMatchObject([{ to: 'agent:bea', task }]);
  });

  test('a need is met when it is done and not before: not offered, held, submitted or escalated', async () => {
    const { staffetta, context } = stage();
    const { task: need } = await staffetta.open(
      { goal: 'first', review: { owner: 'lane:audit' } },
      { as: eve },
    );
    const { task } = await staffetta.open({ goal: 'second', needs: [need] }, { as: eve });
    const waits = async (): Promise<unknown> => {
      await recover(context);
      return [(await load(context, need)).state.status, (await load(context, task)).state.unmet];
    };
    expect(await waits()).toEqual(['offered', [need]]);
    const leg = await staffetta.take({ task: need, as: ada });
    expect(await waits()).toEqual(['held', [need]]);
    await leg?.acknowledge();
    await leg?.submit();
    expect(await waits()).toEqual(['submitted', [need]]);
    await expect(accept(context, task, {}, { by: bea })).rejects.toMatchObject({
      code: 'needs-unmet',
      details: { unmet: [need] },
    });
  });

  test('an approval frees those that waited too', async () => {
    const { staffetta, context } = stage();
    const need = await staffetta.begin({ goal: 'x', review: { owner: 'lane:audit' } }, { as: ada });
    const { task } = await staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    const { state } = await need.submit();
    expect((await load(context, task)).state.status).toBe('blocked');
    await staffetta.review(need.task, { approve: true, packet: state.packet }, { as: quinn });
    expect((await load(context, task)).state.status).toBe('offered');
  });

  test('whatever happens to those that waited meanwhile, the completion itself stands and is reported', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const need = await calm.staffetta.begin({ goal: 'first' }, { as: ada });
      const { task } = await calm.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        await calm.staffetta.cancel(task, 'Flood.', { as: eve });
        calm.clock.set(calm.clock.now() + 1);
        await calm.staffetta.sweep({ olderThanMs: 0 });
      });
      const { state } = await complete(busy.context, need, {}, { by: ada });
      happens = happened();
      expect(state.status).toBe('done');
    }
  });

  test('a need that is gone leaves its task blocked and everybody else recovered', async () => {
    const { staffetta, context, world, clock } = stage();
    const need = await staffetta.begin({ goal: 'first' }, { as: ada });
    const { task } = await staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    world.tasks.delete(need.task);
    const silent = await staffetta.begin({ goal: 'silent' }, { as: bea });
    clock.set(later);
    expect((await recover(context)).lapsed).toEqual([silent.task]);
    expect((await load(context, task)).state.status).toBe('blocked');
  });

  test.each(['failed', 'cancelled'] as const)(
    'a need that %s will never be met: a person is asked about those that waited',
    async (end) => {
      const { staffetta, context } = stage();
      const need = await staffetta.begin({ goal: 'first' }, { as: ada });
      const { task } = await staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
      if (end === 'failed') await need.fail('No wood.');
      else await staffetta.cancel(need.task, 'Flood.', { as: ada });
      const { state } = await load(context, task);
      expect(state).toMatchObject({
        status: 'escalated',
        unmet: [need.task],
        offer: null,
        escalation: { reason: 'need-failed' },
      });
      expect(state.escalation?.text).toContain(`${need.task} is ${end}`);
      await expect(accept(context, task, {}, { by: bea })).rejects.toMatchObject({ code: 'wrong-state' });
    },
  );

  test('a need that was lost in a crash is told apart from one that is met', async () => {
    const calm = stage();
    const need = await calm.staffetta.begin({ goal: 'first' }, { as: ada });
    const { task } = await calm.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    const dying = stage({
      world: calm.world,
      reached: (step) => {
        if (step === 'done:needs-listed') throw new Error('killed');
      },
    });
    const leg = await dying.staffetta.leg(need.task, { as: ada });
    await expect(leg.fail('No wood.')).rejects.toThrow('killed');
    expect(await recover(calm.context, { dryRun: true })).toEqual({
      ...nothing,
      escalated: [task],
      hinted: 0,
    });
    expect(await recover(calm.context)).toEqual({ ...nothing, escalated: [task], hinted: 0 });
    expect((await load(calm.context, task)).state.status).toBe('escalated');
  });

  test('a task that is taken before a person can be asked is left to its holder', async () => {
    let happens = true;
    for (let nth = 1; happens; nth += 1) {
      const calm = stage();
      const need = await calm.staffetta.begin({ goal: 'first' }, { as: ada });
      const { task } = await calm.staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
      const dying = stage({
        world: calm.world,
        reached: (step) => {
          if (step === 'done:needs-listed') throw new Error('killed');
        },
      });
      await (await dying.staffetta.leg(need.task, { as: ada })).fail('No wood.').catch(() => {});
      const { stage: busy, happened } = interrupted(calm, nth, async () => {
        const { state } = await load(calm.context, task);
        if (state.status !== 'blocked') return;
        await calm.staffetta.amend(task, { change: { needs: [] }, why: 'not needed' }, { as: eve });
        await accept(calm.context, task, {}, { by: bea });
      });
      await recover(busy.context);
      happens = happened();
      const { state } = await load(calm.context, task);
      expect(['held', 'escalated']).toContain(state.status);
      expect(state.leg?.holder.name ?? state.escalation?.reason).toMatch(/^(bea|need-failed)$/);
    }
  });

  test('a person is asked once, however often recovery runs', async () => {
    const { staffetta, context, world } = stage();
    const need = await staffetta.begin({ goal: 'first' }, { as: ada });
    await staffetta.open({ goal: 'second', needs: [need.task] }, { as: eve });
    await need.fail('No wood.');
    const before = worldText(world);
    await recover(context);
    await recover(context);
    expect(worldText(world)).toBe(before);
  });
});
