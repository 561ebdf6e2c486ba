import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openRun } from '../../src/crew/open-run.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { newRepository } from './command.ts';
import { stages, type Stage } from './stage.ts';

/** A plan of one task, with somebody who can work on it wherever this runs. */
const planFile = join(newRepository(), 'plan.json');
writeFileSync(
  planFile,
  JSON.stringify({
    goal: 'a fence',
    tasks: { paint: { goal: 'it is green', review: 'human' } },
    crew: { agents: { code: { lane: 'execute', command: process.execPath } } },
  }),
);

const planAnswer = {
  tasks: 1,
  findings: [],
  starts: [{ task: 'paint', agent: 'code', lane: 'execute', runtime: null }],
};

/** A store with a run that nobody supervises. */
async function runStage(): Promise<Stage> {
  const stage = await stages.held();
  const relay = await openStaffetta({ store: stage.store });
  await openRun(
    relay.context,
    {
      v: 1,
      name: 'wood',
      plan: { goal: 'A wood grows.', tasks: { ash: { goal: 'An ash is planted.' } } },
      crew: { agents: { code: { lane: 'execute', command: ['plant'] } } },
    },
    { by: { name: 'eve', kind: 'human' }, why: 'Spring.' },
  );
  await relay.close();
  return stage;
}

/** Of the commands that take a plan, or the run of one. */
export const planRows = {
  run: {
    stage: stages.held,
    args: () => ['run', planFile, '--dry-run'],
    answers: { run: 'plan', tasks: 1, base: expect.any(String) },
  },
  steer: {
    stage: runStage,
    args: () => ['steer', 'wood', '--pause', '--why', 'It rains.'],
    writes: 'keyed' as const,
    answers: { run: 'wood', steering: expect.objectContaining({ paused: true }) },
  },
  route: {
    stage: stages.held,
    args: () => ['route', planFile],
    answers: { routed: [{ task: 'paint', agent: null, by: 'lane', why: expect.any(String) }] },
  },
  plan: { stage: stages.held, args: () => ['plan', planFile], answers: planAnswer },
};
