/** A task goes to another machine and comes from one, over a link that breaks after any number of messages. */
import { expect, test } from 'vitest';
import { ada, eve, stage, type Stage } from '../../../test/support/world.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { moveTasks, openEnd, type Moved } from '../../handoff/trust/move.ts';
import { answerFar } from './far-end.ts';
import { FarStore } from './far-store.ts';
import { withKept } from './kept-copy.ts';
import { Wire, type WireStreams } from './wire.ts';

/** One direction of a link: what is written at one end is read at the other, until it is cut. */
function pipe(passes: () => boolean): {
  readonly write: WireStreams['write'];
  readonly input: WireStreams['input'];
  readonly close: () => void;
} {
  const queue: Uint8Array[] = [];
  let isClosed = false;
  let wake: (() => void) | undefined;
  const close = (): void => {
    isClosed = true;
    wake?.();
  };
  return {
    close,
    async write(bytes) {
      const whole = Buffer.from(bytes);
      const isOpen = !isClosed;
      if (isOpen) queue.push(passes() ? whole : whole.subarray(0, whole.length / 2));
      wake?.();
      if (isClosed) throw Object.assign(new Error('cut'), { code: 'EPIPE' });
    },
    input: (async function* () {
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) yield next;
        else if (isClosed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    })(),
  };
}

interface Link {
  readonly far: FarStore;
  readonly close: () => Promise<void>;
  readonly isCut: () => boolean;
}

/** A far end over `there`; the link lets so many writes through, of both ends, and half of the next. */
async function linked(there: Stage, writes = Number.POSITIVE_INFINITY): Promise<Link | undefined> {
  let left = writes;
  const ends: (() => void)[] = [];
  const passes = (): boolean => {
    left -= 1;
    if (left < 0) for (const end of ends) end();
    return left >= 0;
  };
  const [out, back] = [pipe(passes), pipe(passes)];
  ends.push(out.close, back.close);
  const answering = answerFar(new Wire({ input: out.input, write: back.write }), '1', async ({ by }) => ({
    context: { ...there.context, store: { ...there.store, close: async () => {} } },
    opened: { name: 'there', folder: '/there', isNew: false },
    end: openEnd(there.context, 'there', by),
  })).catch(() => {});
  const far = new FarStore(new Wire({ input: back.input, write: out.write }), 'desk');
  const close = async (): Promise<void> => {
    for (const end of ends) end();
    await answering;
  };
  if (await far.awaitGreeting()) return { far, close, isCut: () => left < 0 };
  await close();
  return undefined;
}

type Way = (here: Stage, far: FarStore, task: TaskId) => Promise<Moved[]>;

const send: Way = async (here, far, task) => {
  await far.open({ folder: undefined, by: eve, dryRun: false });
  return await moveTasks([task], { from: openEnd(here.context, 'here', eve), to: far });
};

const fetch: Way = async (here, far, task) => {
  await far.open({ folder: undefined, by: eve, dryRun: false });
  const to = openEnd(here.context, 'here', eve);
  return await moveTasks([task], {
    from: far,
    to: {
      ...to,
      adopt: async (source) => await withKept(source(), async (kept) => await to.adopt(kept, false)),
    },
  });
};

/** Whether the holder can write to it. */
async function goesOn({ staffetta }: Stage, task: TaskId): Promise<boolean> {
  try {
    await (await staffetta.leg(task, { as: ada })).note('On.');
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['send', send],
  ['fetch', fetch],
] as const)(
  '%s: wherever the link is cut, the task is on one side or the other, and repeating it completes',
  async (name, go) => {
    let cuts = 0;
    let whole: unknown;
    for (let writes = 0; ; writes += 1) {
      const here = stage();
      const there = stage({ seed: 2, clock: here.clock });
      const [giver, taker] = name === 'send' ? [here, there] : [there, here];
      const leg = await giver.staffetta.begin({ goal: 'The fence stands.' }, { as: ada, leaseMs: 60_000 });
      await leg.checkpoint({ claims: { summary: 'Half of it.' }, transcript: 'I thought.\n'.repeat(50) });
      const { task } = leg;
      const link = await linked(there, writes);
      const outcome =
        link === undefined ? 'never met' : await go(here, link.far, task).catch((error: unknown) => error);
      await link?.close();
      whole = outcome;
      if (link?.isCut() === false) break;
      cuts += 1;
      const [gives, takes] = [await goesOn(giver, task), await goesOn(taker, task)];
      expect([writes, gives && takes]).toEqual([writes, false]);
      const again = await linked(there);
      if (again === undefined) throw new Error('The link is whole.');
      expect(await go(here, again.far, task)).toMatchObject([{ status: 'held' }]);
      await again.close();
      expect([await goesOn(giver, task), await goesOn(taker, task)]).toEqual([false, true]);
      const journal = await taker.store.journal.read(task, 0, 100);
      expect(journal.filter(({ body }) => body.includes('"task-arrived"'))).toHaveLength(1);
      expect((await taker.staffetta.verify()).faults).toEqual([]);
    }
    expect(whole).toMatchObject([{ status: 'held', unchanged: false }]);
    expect(cuts).toBeGreaterThan(12);
  },
);

/** An end that says this, whatever it is asked. */
function saying(text: string): FarStore {
  const out = pipe(() => true);
  void out.write(text).then(out.close);
  return new FarStore(new Wire({ input: out.input, write: async () => {} }), 'desk');
}

test('what the other end says that makes no sense is told as such, and its refusals in its name', async () => {
  const there = stage();
  const link = await linked(there);
  if (link === undefined) throw new Error('The link is whole.');
  await expect(link.far.find('t123')).rejects.toMatchObject({ code: 'invalid-input' });
  await link.far.open({ folder: undefined, by: eve, dryRun: false });
  await expect(link.far.find('t123456789')).rejects.toMatchObject({
    code: 'unknown-task',
    message: expect.stringMatching(/^desk: /),
  });
  await link.close();
  const greeting = '{"staffetta":"far-end","v":1,"version":"9"}\n';
  expect(await saying('Welcome!\n').awaitGreeting()).toBe(false);
  await expect(saying(greeting.replace('1', '2')).awaitGreeting()).rejects.toMatchObject({
    code: 'far-unreachable',
  });
  for (const nonsense of ['', 'x\n', '{"ok":{"name":7}}\n', '{"bytes":9}\n123456789\n']) {
    const far = saying(`Welcome to desk\n${greeting}${nonsense}`);
    expect(await far.awaitGreeting()).toBe(true);
    await expect(far.open({ folder: undefined, by: eve, dryRun: false })).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  }
  const huge = saying(`${greeting}{"bytes":99999999999}\n`);
  await huge.awaitGreeting();
  const copied = huge.copy('t0123456789ab')()[Symbol.asyncIterator]();
  await expect(copied.next()).rejects.toMatchObject({ code: 'outcome-unknown' });
});
