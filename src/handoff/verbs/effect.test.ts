import { describe, expect, test } from 'vitest';
import { ada, bea, stage, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import { load } from '../record/load.ts';
import type { EffectHandle } from './effect.ts';
import type { Leg } from './leg.ts';

async function begin({ staffetta }: Stage): Promise<Leg> {
  return await staffetta.begin({ goal: 'The site is live.' }, { as: ada });
}

/** The leg after ada fell silent, in bea's hands. */
async function next(at: Stage, leg: Leg): Promise<Leg> {
  at.clock.set(at.clock.now() + 2 * limits.leaseMsDefault);
  await at.staffetta.recover();
  const taken = await at.staffetta.take({ as: bea });
  if (taken === undefined) throw new Error('nothing to take');
  expect(taken.generation).toBe(leg.generation + 1);
  return taken;
}

const broken = (): never => {
  throw new Error('The line broke.');
};

describe('the effect ledger', () => {
  test('an effect is announced, done and recorded, and its value returned', async () => {
    const at = stage();
    const leg = await begin(at);
    const seen: EffectHandle[] = [];
    const value = await leg.effect('deploy', async (handle) => {
      seen.push(handle);
      const { effects } = await leg.state();
      expect(effects).toMatchObject([{ effect: 'deploy', token: handle.key, unknown: false }]);
      return { id: 7 };
    });
    expect(value).toEqual({ id: 7 });
    expect((await leg.state()).effects).toEqual([]);
    expect(seen).toEqual([
      { key: expect.stringMatching(/^[0-9a-f]{32}$/) as string, fence: `${leg.task}/1` },
    ]);
  });

  test('with a receipt it is not done again: the first value is returned', async () => {
    const at = stage();
    const leg = await begin(at);
    let runs = 0;
    const deploy = async (): Promise<unknown> => await leg.effect('deploy', () => ({ id: (runs += 1) }));
    expect(await deploy()).toEqual({ id: 1 });
    expect(await deploy()).toEqual({ id: 1 });
    expect(runs).toBe(1);
  });

  test('the receipt is there for every later holder', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.effect('deploy', () => 'first');
    const later = await next(at, leg);
    expect(await later.effect('deploy', () => 'second')).toBe('first');
  });

  test('an effect without a value is remembered as done too', async () => {
    const leg = await begin(stage());
    let runs = 0;
    const act = (): void => {
      runs += 1;
    };
    expect(await leg.effect('ring', act)).toBeUndefined();
    expect(await leg.effect('ring', act)).toBeUndefined();
    expect(runs).toBe(1);
  });

  test('a value too long for an entry is kept beside it, whole', async () => {
    const at = stage();
    const leg = await begin(at);
    const long = { words: 'é🧰 '.repeat(20_000) };
    await leg.effect('fetch', () => long);
    const again = await leg.effect('fetch', () => 'not this');
    expect(again).toEqual(long);
    expect((await at.staffetta.verify()).faults).toEqual([]);
    at.clock.set(at.clock.now() + limits.graceMsMin + 1);
    await at.staffetta.sweep({ olderThanMs: 0, graceMs: limits.graceMsMin });
    expect(await leg.effect('fetch', () => 'not this')).toEqual(long);
  });

  test('the first call returns what every later one does', async () => {
    const leg = await begin(stage());
    const made = { id: 7, note: undefined, list: [{ ok: true }] };
    const first = await leg.effect('deploy', () => made);
    made.id = 8;
    expect(Object.keys(first)).toEqual(['id', 'list']);
    expect(first).toStrictEqual(await leg.effect('deploy', () => made));
  });

  test.each<[string, unknown, string]>([
    ['a bigint', 10n, 'it is a bigint'],
    ['half a character', 'x\ud800', 'it is not well-formed Unicode'],
    ['a function', () => 1, 'it is a function'],
    ['not-a-number', Number.NaN, 'it is NaN'],
    ['a date', { at: new Date(0) }, '.at is a Date'],
    ['a map', new Map(), 'it is a Map'],
    ['more than a blob holds', 'x'.repeat(limits.blobBytesMax), 'it takes 16777218 bytes as JSON'],
  ])(
    'what JSON would change is refused, and the effect is not done again: %s',
    async (_what, value, flaw) => {
      const at = stage();
      const leg = await begin(at);
      let runs = 0;
      const act = async (): Promise<unknown> => {
        runs += 1;
        return value;
      };
      await expect(leg.effect('deploy', act)).rejects.toMatchObject({
        code: 'effect-unknown',
        message: expect.stringContaining(`"deploy" took place`) as string,
        details: { effect: 'deploy', performed: true, flaw: expect.stringContaining(flaw) as string },
      });
      await expect(leg.effect('deploy', act)).rejects.toMatchObject({ code: 'effect-unknown' });
      expect(runs).toBe(1);
      // That it took place is on record, for the holder that has to settle it.
      const [note] = (await at.store.journal.read(leg.task, 2, 1)).map(({ body }) => body);
      expect(note).toContain('took place');
      await leg.settle('deploy', 'done', { id: 7 });
      expect(await leg.effect('deploy', act)).toEqual({ id: 7 });
      expect(runs).toBe(1);
    },
  );

  test('a receipt of over 32 KiB is a blob, and one that is not JSON is refused before anything is written', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.effect('deploy', broken).catch(() => {});
    await expect(leg.settle('deploy', 'done', new Date(0))).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The receipt of "deploy" cannot be kept: it is a Date.',
    });
    const { seq } = await leg.state();
    await leg.settle('deploy', 'done', 'x'.repeat(limits.textBytesMax));
    const [settled] = await at.store.journal.read(leg.task, seq + 1, 1);
    expect(settled?.body).toContain('"receiptBlob":"sha256:');
    expect(await leg.effect('deploy', () => 'not this')).toBe('x'.repeat(limits.textBytesMax));
  });

  test('effects of other names are other effects', async () => {
    const leg = await begin(stage());
    expect(await leg.effect('one', (handle) => handle.key)).not.toBe(
      await leg.effect('two', (handle) => handle.key),
    );
  });

  test('a former holder cannot announce, do or record anything', async () => {
    const at = stage();
    const leg = await begin(at);
    await next(at, leg);
    let ran = false;
    const late = leg.effect('deploy', () => (ran = true));
    await expect(late).rejects.toMatchObject({ code: 'stale-generation' });
    expect(ran).toBe(false);
    await expect(leg.settle('deploy', 'done')).rejects.toMatchObject({ code: 'stale-generation' });
  });

  test('a holder that loses the task while it acts cannot record the receipt', async () => {
    const at = stage();
    const leg = await begin(at);
    const act = leg.effect('deploy', async () => {
      await next(at, leg);
      return 'done';
    });
    await expect(act).rejects.toMatchObject({ code: 'stale-generation' });
    expect((await load(at.context, leg.task)).state.effects).toMatchObject([
      { effect: 'deploy', unknown: true },
    ]);
  });
});

describe('an unknown outcome', () => {
  test('an action that throws leaves the effect open, and the error reaches the caller', async () => {
    const leg = await begin(stage());
    await expect(leg.effect('deploy', broken)).rejects.toThrow('The line broke.');
    expect((await leg.state()).effects).toMatchObject([{ effect: 'deploy', generation: 1 }]);
    await expect(leg.effect('deploy', () => 'again')).rejects.toMatchObject({
      code: 'effect-unknown',
      details: { effect: { effect: 'deploy' } },
    });
  });

  test('after a crash between intent and receipt the next holder is refused until it settles it', async () => {
    const at = stage();
    const leg = await begin(at);
    await leg.effect('deploy', broken).catch(() => {});
    const later = await next(at, leg);
    expect((await later.state()).effects).toMatchObject([{ effect: 'deploy', generation: 1, unknown: true }]);
    let ran = false;
    const act = later.effect('deploy', () => (ran = true));
    await expect(act).rejects.toMatchObject({ code: 'effect-unknown' });
    expect(ran).toBe(false);
    await later.acknowledge();
    await expect(later.complete()).rejects.toMatchObject({ code: 'effect-unknown' });
    await later.settle('deploy', 'done', { id: 9 });
    expect(await later.effect('deploy', () => 'again')).toEqual({ id: 9 });
    expect((await later.complete()).state.status).toBe('done');
  });

  test('a retry by the next holder gives the other side the same key and a higher fence', async () => {
    const at = stage();
    const leg = await begin(at);
    const handles: EffectHandle[] = [];
    const first = leg.effect('deploy', (handle) => {
      handles.push(handle);
      return broken();
    });
    await first.catch(() => {});
    const later = await next(at, leg);
    const value = await later.effect(
      'deploy',
      (handle) => {
        handles.push(handle);
        return 'done';
      },
      { ifUnknown: 'retry' },
    );
    expect(value).toBe('done');
    expect(handles[1]?.key).toBe(handles[0]?.key);
    expect(handles.map((handle) => handle.fence)).toEqual([`${leg.task}/1`, `${leg.task}/2`]);
    expect((await later.state()).effects).toEqual([]);
  });

  test('settled as failed, it may be done anew', async () => {
    const leg = await begin(stage());
    await leg.effect('deploy', broken).catch(() => {});
    await leg.settle('deploy', 'failed');
    expect(await leg.effect('deploy', () => 'second')).toBe('second');
  });

  test('settling twice the same way is settling once, and what is not open cannot be settled', async () => {
    const leg = await begin(stage());
    await leg.effect('deploy', broken).catch(() => {});
    await leg.settle('deploy', 'done', 'r');
    await leg.settle('deploy', 'done', 'r');
    await expect(leg.settle('deploy', 'failed')).rejects.toMatchObject({ code: 'unknown-effect' });
    await expect(leg.settle('other', 'done')).rejects.toMatchObject({ code: 'unknown-effect' });
  });

  test('a name that is none is refused before anything is done', async () => {
    const leg = await begin(stage());
    let ran = false;
    await expect(leg.effect('two words', () => (ran = true))).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(ran).toBe(false);
  });
});

test('a key that a caller chose never stands in for a receipt', async () => {
  const leg = await begin(stage());
  await leg.note('x', { key: 'effect:deploy' });
  let ran = false;
  await expect(leg.effect('deploy', () => (ran = true))).rejects.toMatchObject({ code: 'key-reused' });
  expect(ran).toBe(false);
  expect((await leg.state()).effects).toEqual([]);
});
