/**
 * Plays scenarios in a process of its own.
 *
 *   node child.ts dry  <scenario> <folder> …       prints the announcements of each, in order, as one line of JSON
 *   node child.ts kill <scenario> <folder> <n>     dies of SIGKILL at the n-th announcement, counted from 1
 */
import type { NamedStep } from '../../src/ports/step.ts';
import { scenarioNamed } from './scenarios.ts';
import { play, sayNow } from './stage.ts';

const [mode, ...rest] = process.argv.slice(2);

if (mode === 'dry') {
  for (let i = 0; i < rest.length; i += 2) {
    const reached: NamedStep[] = [];
    await play(scenarioNamed(rest[i] ?? ''), rest[i + 1] ?? '', { reached: (step) => reached.push(step) });
    sayNow(JSON.stringify(reached));
  }
} else if (mode === 'kill') {
  const [name = '', folder = '', nth = ''] = rest;
  let count = 0;
  await play(scenarioNamed(name), folder, {
    reached: () => {
      count += 1;
      if (count === Number(nth)) process.kill(process.pid, 'SIGKILL');
    },
    acknowledge: sayNow,
  });
} else {
  throw new Error(`dry or kill, not ${mode}`);
}
