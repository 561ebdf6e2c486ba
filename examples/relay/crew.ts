/** A crew after the relay, in the same repository: a plan of three parts, carried by `staffetta run`, and one of its agents killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { crewPlan } from './crew-plan.ts';
import { git } from './workplace.ts';

export interface CrewPlayed {
  readonly status: number | null;
  /** What is on the branch of the run, the latest first. */
  readonly merged: string;
}

/** The terminal is the command's own meanwhile: at one it shows who holds what. */
export async function playCrew(
  { folder, store, launcher }: { readonly folder: string; readonly store: string; readonly launcher: string },
  tell: (who: string, text: string) => void,
): Promise<CrewPlayed> {
  const halfWay = join(folder, '.staffetta', 'half-way');
  writeFileSync(join(folder, 'names.yaml'), crewPlan(halfWay));
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'slug: what the relay made, and a plan for a crew');
  tell('you', 'committed what the relay made, and run a plan: staffetta run names.yaml');
  const run = spawn(process.execPath, [launcher, 'run', 'names.yaml', '--store', store], {
    cwd: folder,
    // What it says to people is what the audience reads.
    stdio: ['ignore', 'inherit', process.stderr.isTTY ? 'inherit' : 1],
  });
  const over = once(run, 'close') as Promise<[number | null]>;
  const pidOf = (): number => (existsSync(halfWay) ? Number(readFileSync(halfWay, 'utf8')) : 0);
  while (pidOf() === 0 && run.exitCode === null) await wait(20);
  if (pidOf() > 0) {
    process.kill(pidOf(), 'SIGKILL');
    tell('you', `killed the agent at count (pid ${pidOf()}) with SIGKILL, in the middle of its leg`);
  }
  const [status] = await over;
  const merged = git(folder, 'log', '--first-parent', '--format=%h %s', 'HEAD..staffetta/names/+integrated');
  return { status, merged };
}
