import { expect, test } from 'vitest';
import { eve, fence } from '../../test/crew/functions.ts';
import { interrupted, stage } from '../../test/support/world.ts';
import { StaffettaError } from '../core/base/error.ts';
import { chartOf } from '../core/plan/chart.ts';
import { plannedTasks } from '../core/plan/work-plan.ts';
import { openPlanned } from './reconcile.ts';
import { openRun } from './open-run.ts';
import { RunWatch } from './run-watch.ts';
import { unlessBusy } from './unless-busy.ts';

test('at whatever call the store is busy, no task of the plan goes unseen', async () => {
  const calm = stage();
  const document = fence();
  const tasks = plannedTasks(document.plan, document.crew);
  const names = tasks.map(({ name }) => name);
  await openRun(calm.context, document, { by: eve, why: 'Spring.' });
  for (const task of tasks) await openPlanned(calm.context, document, task);
  for (let happens = true, nth = 1; happens; nth += 1) {
    const { stage: busy, happened } = interrupted(calm, nth, async () => {
      throw new StaffettaError('store-busy', 'Somebody else is writing.');
    });
    const watch = new RunWatch(busy.context, 'fence');
    const know = async (): Promise<true> => {
      await watch.begin();
      await watch.know(names, chartOf(tasks));
      return true;
    };
    while ((await unlessBusy(know)) !== true);
    while ((await unlessBusy(async () => await watch.changes())) === undefined);
    expect({ nth, seen: new Set(watch.statuses.keys()) }).toEqual({ nth, seen: new Set(names) });
    happens = happened();
  }
});
