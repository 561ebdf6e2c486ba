import type { Clock } from '../ports/clock.ts';
import { check, same, type Case } from './case.ts';
import { numbers } from './sample.ts';

const year2020 = Date.UTC(2020, 0);
const year2200 = Date.UTC(2200, 0);

async function reasonOf(promise: Promise<void>): Promise<unknown> {
  try {
    await promise;
  } catch (reason) {
    return reason;
  }
  return 'nothing at all';
}

export const clockCases: readonly Case<Clock>[] = [
  {
    id: 'CL1',
    title: 'now is a whole number of milliseconds since 1970',
    run: async (clock) => {
      for (const now of numbers(50).map(() => clock.now())) {
        check(Number.isSafeInteger(now), `${now} is not a whole number`);
        check(now > year2020 && now < year2200, `${now} is no time of these centuries in milliseconds`);
      }
    },
  },
  {
    id: 'CL2',
    title: 'sleep lasts at least as long as asked, also when many sleep at once',
    run: async (clock) => {
      await Promise.all(
        numbers(40).map(async (n) => {
          const before = clock.now();
          await clock.sleep(n % 8);
          const slept = clock.now() - before;
          check(slept >= n % 8, `slept ${slept} ms instead of ${n % 8}`);
        }),
      );
    },
  },
  {
    id: 'CL2',
    title: 'fractions of a millisecond count, and no time or less is over at once',
    run: async (clock) => {
      const before = clock.now();
      for (const ms of [0, -5]) await clock.sleep(ms);
      await clock.sleep(3.5);
      check(clock.now() - before >= 3.5, `slept ${clock.now() - before} ms instead of 3.5`);
    },
  },
  {
    id: 'CL3',
    title: 'a sleep is interrupted with the reason of its signal',
    run: async (clock) => {
      const controller = new AbortController();
      const reason = new Error('the work is over');
      const sleeping = [60_000, 80_000].map(async (ms) => await reasonOf(clock.sleep(ms, controller.signal)));
      await clock.sleep(1);
      controller.abort(reason);
      for (const got of await Promise.all(sleeping)) check(got === reason, `interrupted with ${String(got)}`);
    },
  },
  {
    id: 'CL3',
    title: 'a signal that is aborted already lets nobody sleep, however short',
    run: async (clock) => {
      const reason = new Error('the work was over before');
      for (const ms of [0, 1, 60_000]) {
        const got = await reasonOf(clock.sleep(ms, AbortSignal.abort(reason)));
        check(got === reason, `interrupted with ${String(got)}`);
      }
    },
  },
  {
    id: 'CL3',
    title: 'a signal that stays silent, or speaks afterwards, changes nothing',
    run: async (clock) => {
      const controller = new AbortController();
      const before = clock.now();
      same(await clock.sleep(2, controller.signal), undefined, 'what sleep returned');
      check(clock.now() - before >= 2, `slept ${clock.now() - before} ms instead of 2`);
      controller.abort();
      await clock.sleep(0);
    },
  },
];
