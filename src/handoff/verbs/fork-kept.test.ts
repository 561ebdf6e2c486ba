/** What a fork goes on from is kept for it, no matter who sweeps and when, and checked with it. */
import { describe, expect, test } from 'vitest';
import { storyOf, told } from '../../../test/support/forks.ts';
import { ada, bea, eve, interrupted, stage, type Stage } from '../../../test/support/world.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sweep } from './sweep.ts';
import { accept } from './take.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** A finished task, and a fork of it. */
async function forked(at: Stage): Promise<{ origin: TaskId; fork: TaskId }> {
  const { leg } = await told(at, ['one', 'two']);
  await leg.complete();
  const { task } = await at.staffetta.fork(leg.task, {
    at: 'latest',
    why: 'x',
    as: bea,
    take: true,
    leaseMs: day,
  });
  return { origin: leg.task, fork: task };
}

describe('sweeping what was forked', () => {
  test('what a fork goes on from stays, with its blobs, as long as the fork', async () => {
    const at = stage();
    const { origin, fork } = await forked(at);
    await at.clock.advance(10 * day);
    expect(await sweep(at.context, { olderThanMs: day })).toEqual({ tasks: [], blobs: 0, bytes: 0 });
    expect((await storyOf(at, fork)).filter((line) => !/^t\w{12} /.test(line))).toEqual(['one', 'two']);
    await at.staffetta.cancel(fork, 'Flood.', { as: eve });
    await at.clock.advance(2 * day);
    expect((await sweep(at.context, { olderThanMs: day })).tasks.toSorted()).toEqual(
      [origin, fork].toSorted(),
    );
    expect(at.world.blobs.size).toBe(0);
  });

  test('a chain of finished forks goes from its end, and only as far as nobody needs it', async () => {
    const at = stage();
    const { leg } = await told(at, ['one']);
    await leg.complete();
    const chain = [leg.task];
    for (let n = 0; n < 3; n += 1) {
      const { task } = await at.staffetta.fork(chain.at(-1) ?? '', {
        at: 'latest',
        why: 'x',
        as: ada,
        take: true,
      });
      const next = await at.staffetta.leg(task, { as: ada });
      await next.checkpoint({ transcript: String(n) });
      await next.complete();
      chain.push(task);
    }
    const live = await at.staffetta.fork(chain[1] ?? '', { at: 'latest', why: 'x', as: ada });
    await at.clock.advance(day);
    const would = await sweep(at.context, { olderThanMs: hour, dryRun: true });
    expect(would.tasks).toEqual([chain[3], chain[2]]);
    expect(await sweep(at.context, { olderThanMs: hour })).toEqual(would);
    expect((await storyOf(at, live.task)).length).toBeGreaterThan(4);
    expect((await at.staffetta.verify()).faults).toEqual([]);
  });

  test('a sweep before any call of a fork either comes first or leaves it whole', async () => {
    let whole = 0;
    let first = 0;
    for (let nth = 1; ; nth += 1) {
      const at = stage();
      const { leg } = await told(at, ['one']);
      await leg.complete();
      await at.clock.advance(day);
      const broken = interrupted(at, nth, async () => await sweep(at.context, { olderThanMs: hour }));
      const forking = broken.stage.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea, key: 'k' });
      const error: unknown = await forking.then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      if (error === undefined) whole += 1;
      else first += 1;
      expect(error === undefined ? 'forked' : (error as { code: string }).code).toMatch(
        /^(forked|unknown-task)$/,
      );
      const { faults, tasks } = await at.staffetta.verify();
      expect([nth, faults, tasks]).toEqual([nth, [], error === undefined ? 2 : 0]);
      if (!broken.happened()) break;
    }
    expect(whole).toBeGreaterThan(1);
    expect(first).toBeGreaterThan(1);
  });

  test('a fork before any call of a sweep is left whole', async () => {
    let swept = 0;
    for (let nth = 1; ; nth += 1) {
      const at = stage();
      const { leg } = await told(at, ['one']);
      await leg.complete();
      await at.clock.advance(day);
      let forked = false;
      const broken = interrupted(at, nth, async () => {
        forked = await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea }).then(
          () => true,
          () => false,
        );
      });
      swept += (await sweep(broken.stage.context, { olderThanMs: hour })).tasks.length;
      const { faults, tasks } = await at.staffetta.verify();
      expect([nth, faults, tasks]).toEqual([nth, [], forked ? 2 : 0]);
      if (!broken.happened()) break;
    }
    expect(swept).toBeGreaterThan(0);
  });

  test('a task that is being forked is shown as it was: nobody holds it', async () => {
    const at = stage();
    const { origin } = await forked(at);
    expect((await at.staffetta.show(origin)).leaseUntil).toBeNull();
    await expect(accept(at.context, origin, {}, { by: bea })).rejects.toMatchObject({ code: 'wrong-state' });
  });
});

describe('verifying a fork', () => {
  test('what it goes on from is checked too, and what is missing or altered there is named', async () => {
    const at = stage();
    const { leg } = await told(at, ['one', 'two']);
    const { task } = await at.staffetta.fork(leg.task, { at: 'latest', why: 'x', as: bea });
    const texts = async (): Promise<string[]> =>
      (await at.staffetta.verify(task)).faults.map(({ kind, text }) => `${kind}: ${text}`);
    const chunk = [...at.world.blobs].find(([, { bytes }]) => Buffer.from(bytes).toString() === 'one')?.[0];
    const kept = at.world.blobs.get(chunk ?? 'sha256:');
    at.world.blobs.delete(chunk ?? 'sha256:');
    expect(await texts()).toEqual([
      `completeness: Entry 1 of task ${leg.task} names ${chunk}, which is missing.`,
    ]);
    if (chunk !== undefined && kept !== undefined) at.world.blobs.set(chunk, kept);
    const origin = at.world.tasks.get(leg.task);
    const sealing = origin?.entries[2];
    if (origin === undefined || sealing === undefined) throw new Error('the task is not there');
    origin.entries[2] = { ...sealing, digest: `sha256:${'0'.repeat(64)}` };
    expect((await texts())[0]).toContain('but the store holds another entry there');
    at.world.tasks.delete(leg.task);
    expect(await texts()).toEqual([
      `completeness: Task ${task} was forked from entry 2 of task ${leg.task}, which is missing.`,
    ]);
    await expect(storyOf(at, task)).rejects.toMatchObject({ code: 'corrupt', details: { origin: leg.task } });
  });
});
