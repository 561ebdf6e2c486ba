import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { limits } from '../src/core/base/limits.ts';
import { openStaffetta } from '../src/index.ts';
import { notMeasured, verdict, type Line, type Section } from './section.ts';
import { median, millis, quartiles, times } from './statistics.ts';

const rounds = 31;
const tasks = 10_000;
const ratioMax = 2.5;
const launcher = join(import.meta.dirname, '..', 'bin', 'staffetta.cjs');

/** Commands as a hook would run them: a process each. */
export async function measureStartUp(scratch: string): Promise<Section> {
  const store = join(scratch, 'start-up', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store });
  const leg = await relay.begin({ goal: 'Take notes' }, { as: 'ada', leaseMs: limits.leaseMsMax });
  for (let n = 1; n < tasks; n += 1) await relay.open({ goal: `Task number ${n}` }, { as: 'ada' });
  await relay.close();
  const floor: readonly string[] = ['-e', '0'];
  const ls = [launcher, '--store', store, 'ls'];
  const note = [launcher, '--store', store, 'note', leg.task, 'the limiter comes before auth', '--as', 'ada'];
  const lines = [
    ...compare(`\`staffetta ls\` with ${tasks} tasks`, floor, ls),
    ...compare('`staffetta note`', floor, note),
  ];
  return {
    title: 'Starting a command',
    lines,
    notes: [
      `Wall time of a whole process over that of \`node -e 0\` with the same binary, by turns, ${rounds} times; the first runs are not counted. \`NODE_EXTRA_CA_CERTS\` is unset.`,
    ],
  };
}

function compare(name: string, floor: readonly string[], command: readonly string[]): Line[] {
  const target = `≤ ${ratioMax}× of \`node -e 0\``;
  const first = run(command);
  if (first.failure !== undefined) return [notMeasured(name, target, first.failure)];
  run(command);
  const ratios: number[] = [];
  const walls: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const empty = run(floor).ms;
    const { ms } = run(command);
    ratios.push(ms / empty);
    walls.push(ms);
  }
  return [
    {
      measure: name,
      target,
      result: times(median(ratios)),
      spread: quartiles(ratios, times),
      verdict: verdict(median(ratios) <= ratioMax),
    },
    {
      measure: `${name}, wall time`,
      target: '',
      result: millis(median(walls)),
      spread: quartiles(walls, millis),
      verdict: 'for information',
    },
  ];
}

function run(args: readonly string[]): { readonly ms: number; readonly failure: string | undefined } {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const started = performance.now();
  const done = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const ms = performance.now() - started;
  const failure = done.status === 0 ? undefined : `exit ${done.status}: ${done.stderr.trim().split('\n')[0]}`;
  return { ms, failure };
}
