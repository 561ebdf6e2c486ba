import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRepository } from './command.ts';

/** A plan of one task, with somebody who can work on it wherever this runs. */
export const planFile = join(newRepository(), 'plan.json');
writeFileSync(
  planFile,
  JSON.stringify({
    goal: 'a fence',
    tasks: { paint: { goal: 'it is green', review: 'human' } },
    crew: { agents: { code: { lane: 'execute', command: 'paint' } } },
  }),
);

export const planAnswer = {
  tasks: 1,
  findings: [],
  starts: [{ task: 'paint', agent: 'code', lane: 'execute', runtime: null }],
};
