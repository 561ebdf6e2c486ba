import { isFinal } from '../../src/core/task/state.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { findState } from '../../src/handoff/record/load.ts';
import { verifyStore } from '../../src/handoff/trust/verify.ts';
import { simulate, type Simulated } from './simulate.ts';

export interface Judged extends Pick<Simulated, 'kills' | 'faults' | 'answers'> {
  /** How it ended, what is not done of it, and what is wrong with its store. */
  readonly came: readonly unknown[];
}

export async function judge(seed: number): Promise<Judged> {
  const { end, at, ground, document, kills, faults, answers } = await simulate(seed);
  const left: string[] = [];
  for (const name of Object.keys(document.plan.tasks)) {
    const state = await findState(at.context, plannedId('wood', name));
    const file = ground.filesAt(ground.head('wood')).get(`${name}.txt`) ?? 'nothing';
    const isOver = state !== undefined && isFinal(state) && state.leg === null && file.startsWith('planted');
    if (!isOver) left.push(`${name} is ${state?.status ?? 'not there'}, with ${file}`);
  }
  const run = await findState(at.context, runId('wood'));
  const { faults: found } = await verifyStore(at.context);
  return { kills, faults, answers, came: [end, run?.status, ...left, ...found] };
}
