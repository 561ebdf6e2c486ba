/** The tests that take a sample, once with everything that they take it from. They note what they took, so that nothing is left out unseen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sampled } from '../support/sample.ts';
import { Tally, type Trial } from './trial.ts';

const root = join(import.meta.dirname, '../..');
const wholeMsMax = 6 * 60 * 60 * 1000;

/** Kills at named steps are a trial of their own. */
function samplingTests(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('/support/sample.ts'))
    .filter((path) => path !== join('test', 'crash', 'crash.test.ts'));
}

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function failuresIn(file: string): string[] {
  if (!existsSync(file)) return ['the tests came to no end'];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(' ').slice(0, 2000)}`),
  ]);
}

export const everyPoint: Trial = {
  name: 'Every point of which npm test takes a sample',
  promise:
    'P1, P2, P8: no single call to the disk that fails, and none at which the process dies, loses what was acknowledged; no text keeps a reader busy without bound',
  how: '`npm test` takes a part of these points, another one with each seed; here the same tests take all of them',
  share: 0,
  async run({ seed, scratch }) {
    const [notes, results] = [join(scratch, 'samples'), join(scratch, 'results.json')];
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const running = spawn(
      process.execPath,
      [
        vitest,
        'run',
        ...samplingTests(),
        // All of them take hours where a part takes a minute.
        `--testTimeout=${wholeMsMax}`,
        '--reporter=json',
        `--outputFile=${results}`,
      ],
      {
        cwd: root,
        env: { ...process.env, STAFFETTA_WHOLE: '1', STAFFETTA_SEED: `${seed}`, STAFFETTA_SAMPLES: notes },
        stdio: 'ignore',
      },
    );
    const [code] = (await once(running, 'close')) as [number | null];
    const noted = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
    const sampled = noted.map((line) => JSON.parse(line) as Sampled);
    const tally = new Tally();
    for (const { what, taken } of sampled) tally.add(what.split(': ', 1)[0] ?? what, taken);
    const failures = failuresIn(results);
    const leftOut = sampled
      .filter(({ taken, of }) => taken < of)
      .map(({ what }) => `${what}: not all were taken`);
    const unseen = code === 0 || failures.length > 0 ? [] : [`the tests ended with ${code}`];
    return {
      total: tally.total('points'),
      counts: tally.counts,
      faults: [...failures, ...leftOut, ...unseen, ...(sampled.length === 0 ? ['nothing was tried'] : [])],
    };
  },
};
