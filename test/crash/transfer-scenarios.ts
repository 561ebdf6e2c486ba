/** Everything that moves control. */
import { acknowledge, decline, renew } from '../../src/handoff/verbs/carry.ts';
import { handoff } from '../../src/handoff/verbs/handoff.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import type { Call } from '../../src/handoff/record/record.ts';
import { offer, redrive, withdraw } from '../../src/handoff/verbs/offer.ts';
import { accept } from '../../src/handoff/verbs/take.ts';
import { escalate } from '../../src/handoff/verbs/outside.ts';
import { retry } from '../../src/handoff/verbs/finish.ts';
import {
  accepted,
  ada,
  begun,
  bob,
  by,
  eve,
  first,
  goal,
  idOf,
  key,
  noise,
  offered,
  task,
  type Scenario,
} from './scenario.ts';

const anyone = { to: 'anyone', lane: 'execute' } as const;

export const transferScenarios: readonly Scenario[] = [
  {
    name: 'open, creating the store',
    act: async ({ staffetta }) => await staffetta.open(goal, { key: 'task' }),
  },
  {
    name: 'open',
    prepare: async (staffetta) => await staffetta.open(goal, { key: 'another' }),
    act: async ({ staffetta }) => await staffetta.open(goal, { key: 'task' }),
  },
  {
    name: 'begin',
    prepare: async (staffetta) => await staffetta.open(goal, { key: 'another' }),
    act: async ({ staffetta }) => await staffetta.begin(goal, { key: 'task' }),
  },
  {
    name: 'offer',
    prepare: async (staffetta) => await staffetta.open(goal, { key: 'task', draft: true }),
    act: async ({ staffetta }) => await offer(staffetta.context, task, anyone, by(ada)),
  },
  {
    name: 'handoff',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await handoff(
        context,
        { task, generation: 1 },
        { to: 'lane:audit', claims: { next: 'Check it.' }, transcript: 'I wrote it.\n' },
        by(ada),
      ),
  },
  {
    name: 'take the named task',
    prepare: offered,
    act: async ({ staffetta }) => expectLeg(await staffetta.take({ task, as: bob, key })),
  },
  {
    name: 'take the next task',
    prepare: async (staffetta) => {
      await offered(staffetta);
      await staffetta.open(goal, { key: 'another' });
    },
    act: async ({ staffetta }) => expectLeg(await staffetta.take({ as: bob, key })),
    // Which of the two is open, because a hint that was being acted on stays hidden for a while; but it is one, and only one.
    compare: (journals) => journals.map((line) => (line.includes(' bob once ') ? 'taken' : line)).toSorted(),
  },
  {
    name: 'take past a hint that leads nowhere',
    prepare: async (staffetta) => {
      await staffetta.open(goal, { key: 'another', draft: true });
      await staffetta.store.mailbox.send({ to: 'agent:bob', task: idOf('another'), offer: 1, due: 0 });
      await offered(staffetta);
    },
    // Hints are for a take without a key. After a crash the leg may be bob's already.
    act: async ({ staffetta }) => {
      const { leg } = await staffetta.show(task);
      if (leg?.holder.name !== 'bob') return expectLeg(await staffetta.take({ as: bob }));
      return await staffetta.leg(task, { as: bob });
    },
  },
  {
    name: 'take over from a silent holder',
    prepare: begun,
    laterMs: 600_000,
    act: async ({ staffetta }) => expectLeg(await staffetta.take({ as: bob, key })),
  },
  {
    name: 'acknowledge',
    prepare: accepted,
    act: async ({ staffetta }) =>
      await acknowledge(
        staffetta.context,
        first,
        { goal: 'Carry it.', gate: 'It arrived.', next: 'Go.' },
        by(bob),
      ),
  },
  {
    name: 'decline an offer',
    prepare: offered,
    act: async ({ staffetta }) => await decline(staffetta.context, task, { reasons: ['Too far.'] }, by(bob)),
  },
  {
    name: 'decline after looking inside',
    prepare: accepted,
    act: async ({ staffetta }) =>
      await decline(staffetta.context, task, { reasons: ['Too far.'], generation: 1 }, by(bob)),
  },
  {
    name: 'withdraw a handoff and carry on',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin(goal, { key: 'task' });
      await leg.handoff({ to: 'agent:bob' });
    },
    act: async ({ staffetta }) => await withdraw(staffetta.context, task, { why: 'Not yet.' }, by(ada)),
  },
  {
    name: 'renew',
    prepare: begun,
    act: async ({ staffetta }) => await renew(staffetta.context, first, 120_000),
  },
  {
    name: 'retry',
    prepare: begun,
    act: async ({ staffetta }) => await retry(staffetta.context, first, 'No boat today.', by(ada)),
  },
  {
    name: 'retry for the last time',
    prepare: async (staffetta) => await staffetta.begin({ ...goal, caps: { attempts: 1 } }, { key: 'task' }),
    act: async ({ staffetta }) => await retry(staffetta.context, first, 'No boat today.', by(ada)),
  },
  {
    name: 'redrive',
    prepare: async (staffetta) => {
      const leg = await staffetta.begin({ ...goal, caps: { attempts: 1 } }, { key: 'task' });
      await leg.retry('No boat today.');
    },
    act: async ({ staffetta }) => await redrive(staffetta.context, task, { why: 'A boat came.' }, by(eve)),
  },
  {
    name: 'escalate',
    prepare: begun,
    act: async ({ staffetta }) =>
      await escalate(staffetta.context, task, { text: 'Which way?', generation: 1 }, by(ada)),
  },
  {
    name: 'a worker carries a leg',
    // A handler that fails is retried later; whether the disk or the handler failed is all one.
    mends: true,
    prepare: offered,
    act: async ({ staffetta }) => {
      const worker = staffetta.worker(bob, async (leg) => {
        await leg.acknowledge({}, { key: 'ack' });
        await leg.complete({ transcript: noise(2000) }, { key: 'complete' });
      });
      // After a crash in the handler the leg is still bob's: a restarted worker takes up what it holds, then looks for more.
      const { leg } = await staffetta.show(task);
      if (leg?.holder.name !== 'bob') return await worker.once();
      const mine = await staffetta.leg(task, { as: bob });
      await mine.acknowledge({}, { key: 'ack' });
      return await mine.complete({ transcript: noise(2000) }, { key: 'complete' });
    },
  },
  {
    name: 'a whole relay',
    prepare: async (staffetta) => await staffetta.open(goal, { key: 'another', to: 'agent:nobody' }),
    act: async ({ staffetta, acknowledge: told }) => {
      const { context } = staffetta;
      const opened = await staffetta.open({ ...goal, review: { owner: 'agent:eve' } }, { key: 'task' });
      told(`open ${opened.task} 0`);
      await accept(context, task, {}, keyed('take'));
      told(`take ${task} 1`);
      await acknowledge(context, first, { goal: 'Carry.', gate: 'Arrived.', next: 'Go.' }, keyed('ack'));
      told(`ack ${task} 2`);
      const handed = { to: 'agent:bob', claims: { next: 'Row.' }, transcript: 'I walked.\n' } as const;
      await handoff(context, { task, generation: 1 }, handed, keyed('handoff'));
      told(`handoff ${task} 3`);
      await accept(context, task, {}, { by: bob, key: 'take again' });
      told(`take again ${task} 4`);
    },
  },
];

function keyed(name: string): Call {
  return { by: ada, key: name };
}

/** An agent that tries again with the same key gets the leg it was given the first time, not nothing. */
function expectLeg(leg: Leg | undefined): void {
  if (leg?.holder.name !== 'bob') throw new Error(`bob was given ${leg?.fence ?? 'nothing'}`);
}
