import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf } from '../src/core/digest.ts';
import { openWorkspace } from '../src/workspace/open.ts';
import { verdict, type Section } from './section.ts';
import { median, millis, quartiles, timed, times } from './statistics.ts';

const files = 10_000;
const changed = 25;
const untracked = 25;
const rounds = 40;
const warmUp = 5;
const ratioMax = 2;

/** Capturing a repository, against what git and a reader need to see the same changes. */
export async function measureWorkspace(scratch: string): Promise<Section> {
  const folder = join(scratch, 'workspace');
  const news = makeRepository(folder);
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

/** Returns the untracked paths. */
function makeRepository(folder: string): string[] {
  for (let i = 0; i < files; i += 1) put(folder, `d${Math.floor(i / 100)}/f${i}.txt`, text(i));
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  // Written in another second than the index, so that git need not read every file again to be sure.
  git('update-index', '--refresh');
  for (let i = 0; i < changed; i += 1) {
    const path = `d${i * 4}/f${i * 400}.txt`;
    put(folder, path, `${text(i * 400)}one line more\n`);
  }
  const news = Array.from({ length: untracked }, (_, i) => `new/n${i}.txt`);
  for (const [i, path] of news.entries()) put(folder, path, text(-i));
  return news;
}

function text(seed: number): string {
  return Array.from({ length: 40 }, (_, i) => `line ${i} of ${seed * 7919}\n`).join('');
}

function put(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

async function runGit(folder: string, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
