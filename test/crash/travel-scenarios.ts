/** Going on from another task, and coming from another store. */
import { openStaffetta, type StaffettaOptions } from '../../src/library/staffetta.ts';
import { moveTasks, openEnd } from '../../src/handoff/trust/move.ts';
import { fork } from '../../src/handoff/verbs/fork.ts';
import { ada, bob, by, goal, noise, task, type Scenario } from './scenario.ts';
import { fixedEntropy, standingClock } from './stage.ts';

function abroad(): Pick<StaffettaOptions, 'gate' | 'as' | 'clock' | 'entropy'> {
  return { gate: 'record', as: 'ada', clock: standingClock(1_700_000_000_000), entropy: fixedEntropy };
}

/** A fork with what it was forked from, the same bytes every time. */
async function exported(): Promise<Uint8Array> {
  const there = await openStaffetta({ ...abroad(), store: 'memory:' });
  try {
    const leg = await there.begin(goal, { key: 'there' });
    await leg.checkpoint({ transcript: noise(5_000, 6) });
    const second = await there.fork(leg.task, {
      at: 'latest',
      why: 'Another road.',
      key: 'fork',
      take: true,
    });
    await (await there.leg(second.task)).complete({ transcript: noise(5_000, 7) });
    const parts: Uint8Array[] = [];
    for await (const piece of (await there.export(second.task)).pieces) parts.push(piece);
    return Buffer.concat(parts);
  } finally {
    await there.close();
  }
}

export const travelScenarios: readonly Scenario[] = [
  {
    name: 'fork a task that is over',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      await leg.complete({ transcript: noise(900) });
    },
    act: async ({ staffetta: { context } }) =>
      await fork(context, task, { at: 'latest', why: 'Another road.', goal: goal.goal }, by(bob)),
  },
  {
    name: 'fork a task that is held, and take the fork',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      await leg.checkpoint({ transcript: noise(900) });
    },
    act: async ({ staffetta: { context } }) =>
      await fork(
        context,
        task,
        { at: 'latest', why: 'Another road.', take: true },
        { ...by(ada), key: 'other' },
      ),
  },
  {
    name: 'move to another store',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      await leg.checkpoint({ transcript: noise(5_000, 8) });
    },
    act: async ({ staffetta: { context } }) => {
      const there = await openStaffetta({ store: 'memory:', clock: context.clock });
      const from = openEnd(context, 'here', ada);
      return await moveTasks([task], { from, to: openEnd(there.context, 'there', ada) });
    },
  },
  {
    name: 'move from another store',
    act: async ({ staffetta: { context } }) => {
      const there = await openStaffetta({ ...abroad(), store: 'memory:' });
      const leg = await there.begin(goal, { key: 'task' });
      await leg.checkpoint({ transcript: noise(5_000, 8) });
      const from = openEnd(there.context, 'there', ada);
      return await moveTasks([leg.task], { from, to: openEnd(context, 'here', ada) });
    },
  },
  {
    name: 'import a fork with what it was forked from',
    prepare: async (staffetta) => await staffetta.begin(goal, { key: 'task' }),
    act: async ({ staffetta }) => {
      const bytes = await exported();
      return await staffetta.import(async function* () {
        yield bytes;
      });
    },
  },
];
