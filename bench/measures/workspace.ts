import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../src/core/journal/digest.ts';
import { openWorkspace } from '../../src/workspace/open.ts';
import { makeRepository } from '../material/repository.ts';
import { verdict, type Section } from '../section.ts';
import { median, millis, quartiles, timed, times } from '../statistics.ts';

const files = 10_000;
const changed = 25;
const untracked = 25;
const rounds = 40;
const warmUp = 5;
const ratioMax = 2;

/** Capturing a repository, against what git and a reader need to see the same changes. */
export async function measureWorkspace(scratch: string): Promise<Section> {
  const folder = join(scratch, 'workspace');
  const { news } = makeRepository(folder, { files, changed, untracked });
  const taken = { ours: [] as number[], bare: [] as number[], probe: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const bare = await timed(async () => {
      await runGit(folder, ['status']);
      await runGit(folder, ['diff']);
      for (const path of news) readFileSync(join(folder, path));
    });
    // From scratch each time: finding the repository and looking up its configuration belong to it.
    const ours = await timed(async () => {
      const workspace = await openWorkspace(folder);
      await workspace.capture(async (bytes) => digestOf(bytes));
    });
    const probe = await timed(async () => await (await openWorkspace(folder)).probe());
    if (round < 0) continue;
    taken.bare.push(bare);
    taken.ours.push(ours);
    taken.probe.push(probe);
  }
  const ratios = taken.ours.map((ms, i) => ms / (taken.bare[i] ?? Number.NaN));
  return {
    title: 'Capturing a workspace',
    lines: [
      {
        measure: `capture of a ${files.toLocaleString('en')}-file repository with ${changed + untracked} changes, against \`git status\` + \`git diff\` + reading the same untracked bytes`,
        target: `p50 ≤ ${ratioMax}×`,
        result: times(median(ratios)),
        spread: quartiles(ratios, times),
        verdict: verdict(median(ratios) <= ratioMax),
      },
      ...(['ours', 'bare', 'probe'] as const).map((name) => ({
        measure: {
          ours: 'capture, wall time',
          bare: 'git and reading, wall time',
          probe: 'facts only, wall time',
        }[name],
        target: '',
        result: millis(median(taken[name])),
        spread: quartiles(taken[name], millis),
        verdict: 'for information' as const,
      })),
    ],
    notes: [
      `${changed} changed and ${untracked} untracked files of about 1 KB. The three are taken in turn, ${rounds} times, and the ratio is formed within each turn. Contents are hashed and not stored: storing has measures of its own.`,
    ],
  };
}

async function runGit(folder: string, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
