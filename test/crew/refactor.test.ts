/** Long work over many legs: agents that can do fifteen of fifty files, one of them killed between an edit and its note. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plannedId } from '../../src/crew/run-names.ts';
import { newFolder, newWorkplace, node, staffetta } from '../cli/command.ts';
import { sandboxed } from '../support/sandboxed.ts';

const agent = join(import.meta.dirname, 'refactor.mjs');

test('every file is done once, in four or five legs of one history, and the cursor never goes back', async () => {
  const cwd = newWorkplace();
  const home = newFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' });
  for (let n = 0; n < 50; n += 1)
    writeFileSync(join(cwd, `part-${String(n).padStart(2, '0')}.txt`), `part ${n}\n`);
  git('add', '--all');
  git('commit', '-qm', 'Fifty parts.');
  const file = join(home, 'stamps.yaml');
  const check = `for (let n = 0; n < 50; n += 1) if (require('node:fs').readFileSync('part-' + String(n).padStart(2, '0') + '.txt', 'utf8').split('stamp').length !== 2) throw new Error(n)`;
  const plan = {
    goal: 'Every part is stamped once.',
    tasks: { stamp: { goal: 'Fifty parts are stamped.', validation: [{ run: [node, '-e', check] }] } },
    crew: { agents: { code: { lane: 'execute', command: [node, agent] } } },
  };
  writeFileSync(file, JSON.stringify(plan));
  const env = {
    ...sandboxed,
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: join(home, 'data'),
    KILLED: join(home, 'killed'),
  };
  const ran = await staffetta(['run', file], { cwd, env });
  expect(ran.stdout).toContain('The run stamps is done: 1 task.');
  const head = 'staffetta/stamps/+integrated';
  const stamps = Array.from({ length: 50 }, (_, n) =>
    git('show', `${head}:part-${String(n).padStart(2, '0')}.txt`)
      .split('\n')
      .filter((line) => line.startsWith('stamp')),
  );
  expect(stamps.filter((lines) => lines.length !== 1)).toEqual([]);
  const { lines } = await staffetta(['log', plannedId('stamps', 'stamp'), '--json'], { cwd, env });
  const events = lines.flatMap((entry) => entry['events'] as { type: string; at?: number }[]);
  const legs = events.filter(({ type }) => type === 'leg-started').length;
  expect(legs).toBeGreaterThanOrEqual(4);
  expect(legs).toBeLessThanOrEqual(5);
  const places = events.filter(({ type }) => type === 'progress-moved').map(({ at = 0 }) => at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.at(-1)).toBe(50);
});
