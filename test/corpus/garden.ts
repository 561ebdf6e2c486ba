import type { Actor } from '../../src/core/task/actor.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { steer } from '../../src/handoff/verbs/outside.ts';
import { moveTasks, openEnd } from '../../src/handoff/trust/move.ts';
import { stage, type Stage } from '../support/world.ts';

/** A task that moves to another store and back, and two of a crew: the run, which is steered, and work that a person lets pass, is counted, sent back once approved, and integrated. */
export async function garden(
  { staffetta, clock, context }: Stage,
  { ada, eve }: { readonly ada: Actor; readonly eve: Actor },
): Promise<{ readonly run: TaskId; readonly hedge: TaskId; readonly well: TaskId }> {
  const sol: Actor = { name: 'sol', kind: 'agent', lane: 'supervise' };
  const run = await staffetta.begin({ goal: 'The garden is kept.', budget: { legs: 5 } }, { as: sol });
  await staffetta.steer(run.task, { paused: true, why: 'It rains.' }, { as: eve });
  await staffetta.steer(
    run.task,
    { paused: false, parallel: 2, caps: { tokens: 90, legs: 3, ms: 1000, cost: { amount: 2.5, unit: 'EUR' } }, why: 'It is dry.' },
    { as: eve },
  );
  await steer(context, run.task, { plan: Buffer.from('{"v":1}'), why: 'Spring.' }, { by: eve });
  await run.carry([
    {
      type: 'run-step',
      what: 'exhausted',
      task: run.task,
      agent: 'ada',
      runtime: 'codex',
      until: 1_767_229_200_000,
      why: 'It says so.',
    },
  ]);
  await run.keep('langgraph', Buffer.from('{"step":1}'));
  await run.escalate('Nothing grows.');
  const leg = await staffetta.begin(
    {
      goal: 'The hedge is cut.',
      paths: ['hedge/**'],
      integrate: { onto: 'staffetta/garden', how: 'merge' },
      budget: { tokens: 1000, legs: 9, ms: 3_600_000, cost: { amount: 5, unit: 'USD' } },
      edges: [
        { from: 'ada', to: 'béa' },
        { from: 'béa', to: 'ada' },
      ],
      phases: [{ name: 'measure', human: true }, { name: 'cut' }],
    },
    { as: ada, leaseMs: 60_000 },
  );
  await leg.startPhase('measure');
  await leg.verifyPhase('measure', { because: 'It is two metres high.' });
  await staffetta.approvePhase(leg.task, { phase: 'measure', why: 'So it is.' }, { as: eve });
  await leg.startPhase('cut');
  await leg.countUsage({ source: 'codex', tokens: 120, cost: { amount: 0.25, unit: 'USD' } });
  await clock.advance(1000);
  await leg.submit();
  const { packet } = await staffetta.show(leg.task);
  await staffetta.review(leg.task, { approve: true, packet }, { as: eve });
  const findings = [{ text: 'The gate is in the way.' }];
  await staffetta.review(leg.task, { approve: false, packet, findings }, { as: sol });
  const again = await staffetta.take({ task: leg.task, as: ada });
  if (again === undefined) throw new Error('there was nothing to take');
  await again.acknowledge();
  await staffetta.countUsage(leg.task, { leg: 2, source: 'codex', tokens: 30 }, { as: sol });
  const { state } = await again.complete();
  const made = { packet: state.packet, onto: 'staffetta/garden', commit: 'c'.repeat(40), tree: 'd'.repeat(40) };
  await staffetta.integrate(leg.task, made, { as: sol });
  await staffetta.amend(run.task, { change: { edges: 'any' }, why: 'Anybody may help.' }, { as: eve });
  await staffetta.escalate(run.task, 'The hose is cut.', { as: eve, reason: 'stalled' });
  // There and back: the garden goes on in another store for a while.
  const shed = stage({ clock, seed: 5 });
  const well = await staffetta.open({ goal: 'The well is deep.' }, { as: eve });
  const ends = [
    openEnd(context, 'garden', eve),
    openEnd(shed.context, 'shed', eve),
  ] as const;
  await moveTasks([well.task], { from: ends[0], to: ends[1], why: 'Frost.' });
  await moveTasks([well.task], { from: ends[1], to: ends[0] });
  return { run: run.task, hedge: leg.task, well: well.task };
}
