import { expect } from 'vitest';
import type {
  As,
  AskedReason,
  CrewMember,
  CrewOf,
  CrewRun,
  Edges,
  EndOfRun,
  IntegrateInput,
  Money,
  PhaseApproval,
  Staffetta,
  SteerInput,
  TaskBudget,
  UsageInput,
  Who,
} from '../../src/index.ts';

const coder: Who = { name: 'code', lane: 'execute' };
const byYou: As = { as: { name: 'you', kind: 'human' } };

/** The verbs of work that several agents do for one goal, each called once. */
export async function crewVerbs(relay: Staffetta): Promise<void> {
  const [edges, budget]: [Edges, TaskBudget] = ['any', { tokens: 1000 }];
  const lead: Who = { name: 'lead', lane: 'supervise' };
  const leg = await relay.begin(
    {
      goal: 'A gate',
      edges,
      budget,
      integrate: { onto: 'staffetta/fence' },
      phases: [{ name: 'plan', human: true }],
    },
    { as: coder },
  );
  const { task } = leg;
  await leg.startPhase('plan');
  await leg.verifyPhase('plan', { because: 'It is drawn.' });
  const approval: PhaseApproval = { phase: 'plan', why: 'Good.' };
  await relay.approvePhase(task, approval, byYou);
  const cost: Money = { amount: 0.1, unit: 'USD' };
  await leg.countUsage({ source: 'codex', tokens: 5, cost });
  const usage: UsageInput = { leg: 1, source: 'codex', tokens: 5 };
  expect((await relay.countUsage(task, usage, byYou)).usage?.tokens).toBe(10);
  const { packet } = (await leg.complete()).state;
  const made: IntegrateInput = {
    packet,
    onto: 'staffetta/fence',
    commit: 'a'.repeat(40),
    tree: 'b'.repeat(40),
  };
  expect((await relay.integrate(task, made, { as: lead })).status).toBe('done');
  const run = await relay.begin({ goal: 'The garden' }, { as: lead });
  const steering: SteerInput = { paused: true, why: 'lunch' };
  expect((await relay.steer(run.task, steering, byYou)).steering?.paused).toBe(true);
  const reason: AskedReason = 'stalled';
  expect((await relay.escalate(run.task, 'Nothing moves.', { ...byYou, reason })).escalation).toMatchObject({
    reason,
  });
  await expect(
    relay.escalate(run.task, 'x', { ...byYou, reason: 'bounce' as AskedReason }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  const crew: CrewOf = relay.crew({ parallel: 1 }, lead);
  const idler: CrewMember = crew.agent('idler', { lane: 'execute' }, async (one) => await one.fail('No.'));
  const running: CrewRun = await crew.run({
    name: 'idle',
    tasks: { rest: { goal: 'Rest.', agent: idler, acceptance: ['Rested.'] } },
  });
  const { how }: EndOfRun = await running.done;
  expect(how).toBe('failed');
}
