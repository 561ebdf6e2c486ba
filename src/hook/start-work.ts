/**
 * Work that may take long, in a process of its own: it has no stream of the host's and a group of its own, so the host neither waits for it
 * nor ends it. It is waited for as long as there is time; after that it goes on alone.
 */
import { spawn } from 'node:child_process';
import { markName } from '../ports/orphans.ts';
import type { Home } from '../home/home.ts';
import type { OfSession, SealJob } from '../home/session-turn.ts';

export type Job = SealJob | (OfSession & { readonly kind: 'rescue' });

export async function startWork(
  place: { readonly home: Home; readonly entry: string; readonly env: NodeJS.ProcessEnv },
  job: Job,
  waitMs: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [place.entry, '--work', JSON.stringify(job)], {
    cwd: job.folder,
    // It seals what a program leaves, also one that is ended: it is no part of that program's run.
    // The address may hold a password, and anybody may read the words that a program was started with.
    env: { ...place.env, STAFFETTA_STORE: place.home.store.reveal(), [markName]: undefined },
    detached: true,
    // One byte says that what is waited for is done.
    stdio: ['ignore', waitMs > 0 ? 'pipe' : 'ignore', 'ignore'],
    windowsHide: true,
  });
  return await new Promise<boolean>((resolve) => {
    const done = (finished: boolean) => (): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.unref();
      resolve(finished);
    };
    const timer = setTimeout(done(false), Math.max(0, waitMs));
    child.stdout?.once('data', done(true));
    child.once('exit', done(true));
    child.once('error', done(true));
  });
}
