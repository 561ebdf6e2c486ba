import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIntegrate } from '../../src/workspace/integrate/open.ts';
import { makeRepository } from '../material/repository.ts';
import { verdict, type Section } from '../section.ts';
import { median, millis, quartiles, timed, times } from '../statistics.ts';

const files = 10_000;
const rounds = 40;
const warmUp = 5;
const ratioMax = 2;

/** Integrating a task without validation, against the user's own `git merge` of the same commit in a checkout. */
export async function measureIntegration(scratch: string): Promise<Section> {
  const folder = join(scratch, 'integration');
  makeRepository(folder, { files, changed: 0, untracked: 0 });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  const base = git('rev-parse', 'HEAD');
  const queue = await openIntegrate(folder, {
    home: join(scratch, 'trees'),
    holdsSecret: async () => false,
  });
  const taken = { ours: [] as number[], bare: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const name = `t${round + warmUp}`;
    git('checkout', '-q', '-b', name, base);
    writeFileSync(join(folder, `d1/${name}.txt`), `${name}\n`);
    git('add', '-A');
    git('commit', '-q', '-m', name);
    const submitted = git('rev-parse', 'HEAD');
    git('checkout', '-q', round === -warmUp ? '-B' : '-f', 'merged', ...(round === -warmUp ? [base] : []));
    const bare = await timed(() => void git('merge', '-q', '--no-ff', '-m', name, submitted));
    const ours = await timed(
      async () => await queue.integrate({ run: 'bench', task: name, base, submitted, title: name }),
    );
    if (round < 0) continue;
    taken.bare.push(bare);
    taken.ours.push(ours);
  }
  const ratios = taken.ours.map((ms, i) => ms / (taken.bare[i] ?? Number.NaN));
  return {
    title: 'Integrating the work of a task',
    lines: [
      {
        measure: `merging a commit into a ${files.toLocaleString('en')}-file repository without a checkout, against \`git merge\` in one`,
        target: `p50 ≤ ${ratioMax}×`,
        result: times(median(ratios)),
        spread: quartiles(ratios, times),
        verdict: verdict(median(ratios) <= ratioMax),
      },
      ...(['ours', 'bare'] as const).map((name) => ({
        measure: { ours: 'integration, wall time', bare: '`git merge`, wall time' }[name],
        target: '',
        result: millis(median(taken[name])),
        spread: quartiles(taken[name], millis),
        verdict: 'for information' as const,
      })),
    ],
    notes: [
      `${rounds} rounds, side by side: each commit is merged by both, onto heads that have all before it. Without validation, which takes what the commands take.`,
    ],
  };
}
