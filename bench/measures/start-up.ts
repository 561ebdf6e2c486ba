import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../src/core/base/limits.ts';
import { openStaffetta } from '../../src/index.ts';
import { notMeasured, verdict, type Line, type Section } from '../section.ts';
import { median, millis, quartiles, times } from '../statistics.ts';

const rounds = 31;
const tasks = 10_000;
const ratioMax = 2.5;
const noteRatioMax = 2.3;
const importRatioMax = 0.75;
const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'bin', 'staffetta.cjs');

/** Commands as a hook would run them: a process each. */
export async function measureStartUp(scratch: string): Promise<Section> {
  const store = join(scratch, 'start-up', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store });
  const leg = await relay.begin({ goal: 'Take notes' }, { as: 'ada', leaseMs: limits.leaseMsMax });
  for (let n = 1; n < tasks; n += 1) await relay.open({ goal: `Task number ${n}` }, { as: 'ada' });
  await relay.close();
  const ls = [launcher, '--store', store, 'ls'];
  const note = [launcher, '--store', store, 'note', leg.task, 'the limiter comes before auth', '--as', 'ada'];
  const lines = [
    ...compare(`\`staffetta ls\` with ${tasks} tasks`, { ...overNode, command: () => ls }),
    ...compare('`staffetta note`', { ...overNode, command: () => note, ratioMax: noteRatioMax }),
    ...(await measureHandoff(join(scratch, 'small-tree'))),
    ...compare('a program that imports `staffetta`', {
      than: 'one that imports `ai`',
      floor: () => run(importing('ai'), root).ms,
      command: () => importing('staffetta'),
      cwd: root,
      ratioMax: importRatioMax,
    }),
  ];
  return {
    title: 'Starting a command',
    lines,
    notes: [
      'The tree of the handoff has twenty files, of which one is staged, one edited and one new; each time another task is handed over.',
      `Wall time of a whole process over that of \`node -e 0\` with the same binary, by turns, ${rounds} times; the first runs are not counted. \`NODE_EXTRA_CA_CERTS\` is unset.`,
    ],
  };
}

/** What a person would run by hand to see what there is to hand over, and a process that does nothing. */
async function measureHandoff(folder: string): Promise<Line[]> {
  mkdirSync(folder, { recursive: true });
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main');
  for (let n = 0; n < 20; n += 1) writeFileSync(join(folder, `file-${n}.txt`), `line ${n}\n`.repeat(40));
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  writeFileSync(join(folder, 'file-0.txt'), 'staged\n');
  git('add', '.');
  writeFileSync(join(folder, 'file-1.txt'), 'edited\n');
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  const store = join(folder, '.staffetta', 'store.db');
  const relay = await openStaffetta({ gate: 'record', store, workspace: folder });
  const held: string[] = [];
  for (let n = 0; n < rounds + 2; n += 1)
    held.push(
      (
        await relay.begin(
          { goal: `Task ${n}`, acceptance: ['Somebody can tell.'] },
          { as: 'ada', leaseMs: limits.leaseMsMax },
        )
      ).task,
    );
  await relay.close();
  const words = ['--as', 'ada', '--to', 'bea', '--done', 'a half', '--next', 'go on'];
  const timed = (program: string, ...args: readonly string[]): number => {
    const started = performance.now();
    spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    return performance.now() - started;
  };
  return compare('`staffetta handoff` in a small tree', {
    than: '`git status`, `git diff` and `node -e 0`',
    floor: () => timed('git', 'status') + timed('git', 'diff', 'HEAD') + run(['-e', '0']).ms,
    command: () => [launcher, 'handoff', held.pop() ?? '', ...words],
    cwd: folder,
  });
}

function importing(name: string): readonly string[] {
  return ['--input-type=module', '-e', `import '${name}'`];
}

const overNode = { than: '`node -e 0`', floor: (): number => run(['-e', '0']).ms };

interface Comparison {
  readonly than: string;
  readonly floor: () => number;
  readonly command: () => readonly string[];
  readonly cwd?: string;
  readonly ratioMax?: number;
}

function compare(name: string, { than, floor, command, cwd, ratioMax: most = ratioMax }: Comparison): Line[] {
  const target = `≤ ${most}× of ${than}`;
  const first = run(command(), cwd);
  if (first.failure !== undefined) return [notMeasured(name, target, first.failure)];
  run(command(), cwd);
  const ratios: number[] = [];
  const walls: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const empty = floor();
    const { ms } = run(command(), cwd);
    ratios.push(ms / empty);
    walls.push(ms);
  }
  return [
    {
      measure: name,
      target,
      result: times(median(ratios)),
      spread: quartiles(ratios, times),
      verdict: verdict(median(ratios) <= most),
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

function run(
  args: readonly string[],
  cwd?: string,
): { readonly ms: number; readonly failure: string | undefined } {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const started = performance.now();
  const done = spawnSync(process.execPath, args, { env, cwd, encoding: 'utf8' });
  const ms = performance.now() - started;
  const failure = done.status === 0 ? undefined : `exit ${done.status}: ${done.stderr.trim().split('\n')[0]}`;
  return { ms, failure };
}
