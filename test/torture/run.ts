// `npm run torture`: does harm in every way that is known here, counts, and keeps what it found in docs/reliability.md. Ends with 1 if anything
// did not hold.
//   --minutes N   how long, 10 unless told; what must be tried once is tried once all the same
//   --seed N      the choices of an earlier run
//   --only NAME   one of the trials; nothing is kept
//   --no-write    keep nothing
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../../bench/machine.ts';
import { hostileArchives } from './archives.ts';
import { crashPoints } from './crash-points.ts';
import { damagedFiles } from './damage.ts';
import { manyMachines } from './many-machines.ts';
import { page, type Report } from './page.ts';
import { randomKills } from './random-kills.ts';
import { hostileRequests } from './requests.ts';
import { secrets } from './secrets.ts';
import { serverSoak } from './soak.ts';
import type { Trial } from './trial.ts';
import { everyPoint } from './whole.ts';

const trials: Readonly<Record<string, Trial>> = {
  steps: crashPoints,
  whole: everyPoint,
  kills: randomKills,
  damage: damagedFiles,
  archives: hostileArchives,
  requests: hostileRequests,
  secrets,
  server: serverSoak,
  machines: manyMachines,
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31) + 1}` },
    only: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
  },
});
const minutes = numberFrom('minutes', values.minutes);
const seed = numberFrom('seed', values.seed);
const chosen =
  values.only === undefined ? Object.entries(trials) : [[values.only, trialNamed(values.only)] as const];

const scratch = mkdtempSync(join(tmpdir(), 'staffetta-torture-'));
const reports: Report[] = [];
try {
  const end = Date.now() + minutes * 60_000;
  for (const [i, [name, trial]] of chosen.entries()) {
    process.stderr.write(`${trial.name} …\n`);
    const began = Date.now();
    const folder = join(scratch, name);
    mkdirSync(folder);
    // What earlier ones left over is for those that are still to come.
    const shares = chosen.slice(i).reduce((sum, [, { share }]) => sum + share, 0);
    const until = shares === 0 ? began : began + ((end - began) * trial.share) / shares;
    const tried = await trial.run({ seed, until, scratch: folder });
    rmSync(folder, { recursive: true, force: true });
    reports.push({ trial, tried, seconds: (Date.now() - began) / 1000 });
    say(reports.at(-1));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (values.only === undefined && !values['no-write']) {
  const run = [['asked for', `${minutes} minutes, seed ${seed}`], ...machine(tmpdir())] as const;
  writeFileSync(join(import.meta.dirname, '../../docs/reliability.md'), page(reports, run));
}
const faults = reports.reduce((sum, { tried }) => sum + tried.faults.length, 0);
process.stdout.write(`${faults === 0 ? 'nothing was found' : `${faults} faults`}; seed ${seed}\n`);
process.exitCode = faults === 0 ? 0 : 1;

function say(report: Report | undefined): void {
  if (report === undefined) return;
  const { tried, seconds } = report;
  for (const [what, times] of tried.counts)
    process.stdout.write(`  ${what}: ${times.toLocaleString('en')}\n`);
  if (tried.notProven !== undefined) process.stdout.write(`  NOT PROVEN: ${tried.notProven}\n`);
  for (const fault of tried.faults) process.stdout.write(`  FAULT ${fault}\n`);
  process.stdout.write(`  ${seconds.toFixed(0)} s\n`);
}

function numberFrom(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} takes a number above 0, not ${text}`);
}

function trialNamed(name: string): Trial {
  const found = trials[name];
  if (found === undefined) throw new Error(`--only takes one of ${Object.keys(trials).join(', ')}`);
  return found;
}
