/** What takes long, in a process that no host waits for: sealing a session, and rescuing those that died. */
import { openContext } from '../desk/context.ts';
import { rescueDead } from '../desk/sessions/rescue-dead.ts';
import { sealInTurn } from '../desk/sessions/seal.ts';
import { homeOf } from '../home/home.ts';
import { defaultStore } from '../home/locate.ts';
import { logLine } from '../home/log.ts';
import type { Job } from './start-work.ts';

/** Nobody waits; a writer may take its time. */
const busyMs = 10_000;

export async function work(given: string): Promise<void> {
  const home = homeOf(defaultStore(process.cwd(), process.env).store);
  if (home === undefined) return;
  // The host that started this may be gone by now.
  process.stdout.on('error', () => undefined);
  try {
    const job = JSON.parse(given) as Job;
    const place = { home, env: process.env };
    await using opened = await openContext(home.store, { folder: job.folder, env: process.env, busyMs });
    if (job.kind === 'seal') await sealInTurn(opened.context, place, job);
    // A greeting waits for one byte.
    else await rescueDead(opened.context, place, { ...job, done: () => void process.stdout.write('.') });
  } catch (error) {
    logLine(home, `work: ${error instanceof Error ? error.message : String(error)}`);
  }
}
