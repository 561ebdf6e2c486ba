/** What takes long, in a process that no host waits for: sealing a session, and rescuing those that died. */
import { dirname } from 'node:path';
import { openContext } from '../desk/context.ts';
import { rescueDead } from '../desk/sessions/rescue-dead.ts';
import { sealInTurn } from '../desk/sessions/seal.ts';
import { logLine } from '../home/log.ts';
import type { Job } from './start-work.ts';

/** Nobody waits; a writer may take its time. */
const busyMs = 10_000;

export async function work(store: string, given: string): Promise<void> {
  // The host that started this may be gone by now.
  process.stdout.on('error', () => undefined);
  try {
    const job = JSON.parse(given) as Job;
    const place = { store, env: process.env };
    await using opened = await openContext(store, { folder: job.folder, env: process.env, busyMs });
    if (job.kind === 'seal') await sealInTurn(opened.context, place, job);
    // A greeting waits for one byte.
    else await rescueDead(opened.context, place, { ...job, done: () => void process.stdout.write('.') });
  } catch (error) {
    logLine(dirname(store), `work: ${error instanceof Error ? error.message : String(error)}`);
  }
}
