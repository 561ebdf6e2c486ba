/** A process whose clock is years ahead took or renewed a lease, and died. */
import { describe, expect, test } from 'vitest';
import { ada, bea, dawn, HandClock, stage, worldText, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import type { Leg } from './leg.ts';
import { leasesFarAhead, recover } from './recover.ts';
import { silentPage } from '../record/silence.ts';
import { lapsedNow } from '../views/alerts.ts';
import { storeFigures } from '../views/figures.ts';
import { inboxOf } from '../views/inbox.ts';
import { accept } from './take.ts';
import { verifyTask } from '../trust/verify.ts';

const years = 5 * 365 * 24 * 60 * 60 * 1000;

interface Ahead extends Stage {
  readonly leg: Leg;
  readonly until: number;
}

/** The lease was granted by a clock that is right, and renewed by one that is ahead. */
async function renewedAhead(byMs = years): Promise<Ahead> {
  const at = stage();
  const leg = await at.staffetta.begin({ goal: 'x' }, { as: ada });
  const future = stage({ world: at.world, clock: new HandClock(dawn + byMs) });
  const until = (await (await future.staffetta.leg(leg.task, { as: ada })).renew()) ?? 0;
  expect(until).toBe(dawn + byMs + limits.leaseMsDefault);
  return { ...at, leg, until };
}

/** The leg itself began in the future. */
async function begunAhead(): Promise<Ahead> {
  const at = stage();
  const future = stage({ world: at.world, clock: new HandClock(dawn + years) });
  const leg = await future.staffetta.begin({ goal: 'x' }, { as: ada });
  return { ...at, leg, until: dawn + years + limits.leaseMsDefault };
}

describe('a lease that was renewed from far ahead', () => {
  test('recovery ends it, and says why', async () => {
    const at = await renewedAhead();
    const done = await recover(at.context);
    expect(done).toMatchObject({ lapsed: [at.leg.task], doubted: [], hinted: 0 });
    expect((await at.staffetta.show(at.leg.task)).status).toBe('lapsed');
    const [entry] = (await at.store.journal.read(at.leg.task, 1, 1)).map(({ body }) => body);
    expect(entry).toContain('further ahead than a lease may: some clock was wrong.');
    await expect(at.leg.note('x')).rejects.toMatchObject({ code: 'stale-generation' });
    expect((await at.staffetta.take({ as: bea }))?.generation).toBe(2);
  });

  test('an agent that asks for that task gets it', async () => {
    const at = await renewedAhead();
    expect((await accept(at.context, at.leg.task, {}, { by: bea })).state.leg?.holder.name).toBe('bea');
  });

  test('the longest lease that there is, is believed', async () => {
    const at = await renewedAhead(limits.leaseMsMax - limits.leaseMsDefault);
    expect(await recover(at.context)).toMatchObject({ lapsed: [], doubted: [] });
    await expect(accept(at.context, at.leg.task, {}, { by: bea })).rejects.toMatchObject({ code: 'held' });
  });

  test('verify names it', async () => {
    const at = await renewedAhead();
    expect((await verifyTask(at.context, at.leg.task)).faults).toMatchObject([
      { kind: 'integrity', text: expect.stringContaining('ends at 2030-12-31T00:01:00.000Z') as string },
    ]);
    await recover(at.context);
    expect((await verifyTask(at.context, at.leg.task)).faults).toEqual([]);
  });

  test('a dry run says so and leaves it', async () => {
    const at = await renewedAhead();
    const before = worldText(at.world);
    expect((await recover(at.context, { dryRun: true })).lapsed).toEqual([at.leg.task]);
    expect(worldText(at.world)).toBe(before);
  });
});

test.each([
  { how: 'over', ahead: -limits.leaseMsDefault, lapsed: false },
  { how: 'over by a millisecond', ahead: -limits.leaseMsDefault - 1, lapsed: true },
  { how: 'as far ahead as a lease may be', ahead: limits.leaseMsMax - limits.leaseMsDefault, lapsed: false },
  { how: 'a millisecond further', ahead: limits.leaseMsMax - limits.leaseMsDefault + 1, lapsed: true },
])(
  'a lease that is $how: lists, alerts and figures say lapsed exactly where recovery ends the leg',
  async ({ ahead, lapsed }) => {
    const at = await renewedAhead(ahead > 0 ? ahead : 0);
    if (ahead < 0) at.clock.set(dawn - ahead);
    const { task } = at.leg;
    expect((await silentPage(at.context, { limit: 5 })).cards.map((card) => card.task)).toEqual(
      lapsed ? [task] : [],
    );
    expect(await lapsedNow(at.context)).toHaveLength(lapsed ? 1 : 0);
    expect((await storeFigures(at.context)).lapsed).toBe(lapsed ? 1 : 0);
    const kinds = async (): Promise<string[]> => (await inboxOf(at.context)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(lapsed ? ['left'] : []);
    expect((await recover(at.context, { dryRun: true })).lapsed).toEqual(lapsed ? [task] : []);
    // That it was recorded changes nothing for a person; that somebody goes on does.
    expect((await recover(at.context)).lapsed).toEqual(lapsed ? [task] : []);
    expect(await kinds()).toEqual(lapsed ? ['left'] : []);
    if (lapsed) await accept(at.context, task, {}, { by: { name: 'bea', kind: 'agent', lane: 'execute' } });
    expect(await kinds()).toEqual([]);
  },
);

test('where clocks are too far apart to end a leg, nothing calls it lapsed', async () => {
  const at = await renewedAhead(0);
  at.clock.set(dawn + limits.leaseMsDefault + 1);
  const off = { ...at.context, store: { ...at.store, clockAheadMs: 61_000 } };
  expect((await recover(off)).lapsed).toEqual([]);
  expect([await lapsedNow(off), (await storeFigures(off)).lapsed]).toEqual([[], 0]);
});

test('a page of what is lapsed is filled from all that are held', async () => {
  const at = stage();
  for (let n = 0; n < 9; n += 1)
    await at.staffetta.begin({ goal: `g${n}` }, { as: ada, leaseMs: n % 3 === 0 ? 1000 : 3_600_000 });
  at.clock.set(dawn + 1001);
  const one = await silentPage(at.context, { limit: 2 });
  expect(one.cards).toHaveLength(2);
  const rest = await silentPage(at.context, { limit: 2, cursor: one.next ?? '' });
  expect([rest.cards.length, rest.next]).toEqual([1, undefined]);
  expect(new Set([...one.cards, ...rest.cards].map(({ task }) => task)).size).toBe(3);
  expect((await silentPage(at.context, { limit: 2, statuses: ['offered'] })).cards).toEqual([]);
});

describe('where this clock is behind the journal', () => {
  test('it may be the wrong one: the lease is named and left alone', async () => {
    const at = await begunAhead();
    const before = worldText(at.world);
    expect(await recover(at.context)).toMatchObject({
      lapsed: [],
      doubted: [{ task: at.leg.task, holder: 'ada', leaseUntil: at.until }],
    });
    await expect(accept(at.context, at.leg.task, {}, { by: bea })).rejects.toMatchObject({ code: 'held' });
    expect(await lapsedNow(at.context)).toEqual([]);
    expect(worldText(at.world)).toBe(before);
  });

  test('it is ended if a person says so', async () => {
    const at = await begunAhead();
    const done = await recover(at.context, { endDoubted: true });
    expect(done).toMatchObject({ lapsed: [at.leg.task], doubted: [] });
    expect((await at.staffetta.take({ as: bea }))?.generation).toBe(2);
  });

  test('a machine that starts in 1970 ends nobody, and saying so ends nothing that is not far ahead', async () => {
    const at = stage();
    await at.staffetta.begin({ goal: 'x' }, { as: ada });
    const early = stage({ world: at.world, clock: new HandClock(0) });
    expect((await recover(early.context)).lapsed).toEqual([]);
    expect(await recover(at.context, { endDoubted: true })).toMatchObject({ lapsed: [], doubted: [] });
  });
});

test('a lease that no calendar has is named and ended like the others', async () => {
  const at = await renewedAhead();
  await at.store.journal.renew(at.leg.task, 1, Number.MAX_SAFE_INTEGER);
  const [found] = (await verifyTask(at.context, at.leg.task)).faults;
  expect(found?.text).toContain('9007199254740991 ms after 1970');
  const named: string[] = [];
  for await (const { task } of leasesFarAhead(at.context)) named.push(task);
  expect(named).toEqual([at.leg.task]);
  expect((await recover(at.context)).lapsed).toEqual([at.leg.task]);
});
