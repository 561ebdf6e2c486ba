/** Goes on with a task in a program, as a person or a supervisor does it: by the built command, which starts the program. */
import { readFileSync } from 'node:fs';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { answerOf } from './lab.ts';
import type { Machine } from './machine.ts';
import { field, text } from './model/json.ts';

export interface Continued {
  /** The prompt as it was written for the program. */
  readonly prompt: string;
  /** What the command said of the run and of the session that came of it. */
  readonly answer: unknown;
}

export async function continued(
  machine: Machine,
  task: string,
  way: { readonly to: RuntimeName; readonly history: 'full' | 'briefing' },
): Promise<Continued> {
  // A program that has never been used here must be told its model.
  const model = way.to === 'opencode' ? ['--model', 'lab/large'] : [];
  const how = ['--in', way.to, '--history', way.history, ...model, '--launch'];
  const answer = await answerOf(machine, 'resume', task, ...how);
  return { prompt: readFileSync(text(field(answer, 'promptFile')), 'utf8'), answer };
}
