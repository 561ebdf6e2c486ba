/** What a crew writes: where approved work goes, what was used, how a run is steered, and what a person lets pass. */
import { carry, keepForProgram } from '../../src/handoff/verbs/carry.ts';
import { integrate, review } from '../../src/handoff/verbs/finish.ts';
import { approvePhase, countUsage, steer } from '../../src/handoff/verbs/outside.ts';
import type { Staffetta } from '../../src/library/staffetta.ts';
import { ada, by, eve, first, goal, task, type Scenario } from './scenario.ts';

const onto = 'staffetta/post/+integrated';

async function toIntegrate(staffetta: Staffetta): Promise<void> {
  const leg = await staffetta.begin(
    { ...goal, review: { human: true }, integrate: { onto }, budget: { tokens: 1000 } },
    { key: 'task' },
  );
  await leg.submit({ claims: { summary: 'It arrived.' } });
}

async function approved(staffetta: Staffetta): Promise<void> {
  await toIntegrate(staffetta);
  const { packet } = await staffetta.show(task);
  await staffetta.review(task, { approve: true, packet }, { as: eve });
}

async function supervised(staffetta: Staffetta): Promise<void> {
  await staffetta.begin(goal, { key: 'task', as: { ...ada, lane: 'supervise' }, lane: 'supervise' });
}

async function verified(staffetta: Staffetta): Promise<void> {
  const leg = await staffetta.begin({ ...goal, phases: [{ name: 'ride', human: true }] }, { key: 'task' });
  await leg.startPhase('ride');
  await leg.verifyPhase('ride', { because: 'The horse is back.' });
}

export const crewScenarios: readonly Scenario[] = [
  {
    name: 'approve what is to be integrated',
    prepare: toIntegrate,
    act: async ({ staffetta }) => {
      const { packet } = await staffetta.show(task);
      return await review(staffetta.context, task, { approve: true, packet }, by(eve));
    },
  },
  {
    name: 'integrate',
    prepare: approved,
    act: async ({ staffetta }) => {
      const { packet } = await staffetta.show(task);
      const made = { packet, onto, commit: 'c'.repeat(40), tree: 'd'.repeat(40) };
      return await integrate(staffetta.context, task, made, by(eve));
    },
  },
  {
    name: 'count what was used',
    prepare: toIntegrate,
    act: async ({ staffetta: { context } }) =>
      await countUsage(context, task, { leg: 1, source: 'codex', tokens: 120 }, by(eve)),
  },
  {
    name: 'steer a run',
    prepare: supervised,
    act: async ({ staffetta: { context } }) =>
      await steer(context, task, { paused: true, plan: Buffer.from('{"v":1}'), why: 'It rains.' }, by(eve)),
  },
  {
    name: 'a step of a run',
    prepare: supervised,
    act: async ({ staffetta: { context } }) =>
      await carry(
        context,
        first,
        [{ type: 'run-step', what: 'routed', agent: 'bob', why: 'A rule.' }],
        by(ada),
      ),
  },
  {
    name: 'keep the state of a program',
    prepare: supervised,
    act: async ({ staffetta: { context } }) =>
      await keepForProgram(
        context,
        first,
        {
          program: 'langgraph',
          blobs: [Buffer.from('{}')],
          restated: { goal: 'Go on.', gate: 'None.', next: 'Begin.' },
        },
        by(ada),
      ),
  },
  {
    name: 'approve a phase',
    prepare: verified,
    act: async ({ staffetta: { context } }) => await approvePhase(context, task, { phase: 'ride' }, by(eve)),
  },
];
