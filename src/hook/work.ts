/** What takes long, in a process that no host waits for: sealing a session, and rescuing those that died. */
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { worktreeRoot } from '../compose/locate.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { hooksFolder, readRecord, recordName, writePrivate, writeRecord } from '../compose/session-record.ts';
import { allRecords, toldByHooks } from '../compose/session-record.ts';
import { takeWatchedNotes } from '../compose/watched-notes.ts';
import { agentOf } from '../core/agent-name.ts';
import { loadCounter } from '../core/tokens/count.ts';
import type { TaskId } from '../core/id.ts';
import type { Context } from '../handoff/context.ts';
import { prepareBriefing, waitingFor } from '../handoff/greet.ts';
import { readersOf } from '../handoff/story.ts';
import { keptBriefings } from './briefings.ts';
import { sealHeldSession } from '../handoff/seal-held.ts';
import { recover } from '../handoff/recover.ts';
import { rescue } from '../handoff/rescue.ts';
import type { SessionCard } from '../ports/runtime.ts';
import { logLine } from './log.ts';
import type { Job } from './start-work.ts';
import { open } from './store.ts';

/** Nobody waits; a writer may take its time. */
const busyMs = 10_000;
/** Of the sessions that changed within a day, so many are read at a start. */
const readMax = 5;
const sinceMs = 24 * 60 * 60_000;
const silentMs = 10 * 60_000;
/** A lock that is older was left by a process that died. */
const lockMsMax = 10 * 60_000;

export async function work(store: string, given: string): Promise<void> {
  const folder = dirname(store);
  // Whoever started this may be gone by now.
  process.stdout.on('error', () => undefined);
  try {
    const job = JSON.parse(given) as Job;
    const place = { store, env: process.env };
    await using opened = await open(place, job.folder, busyMs);
    if (job.kind === 'rescue') await rescueDead(opened.context, store, job);
    else await sealInTurn(opened.context, store, job);
  } catch (error) {
    logLine(folder, `work: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type SealJob = Extract<Job, { kind: 'seal' }>;

/** One at a time for a session. Whoever comes meanwhile leaves word, and the one at work looks again. */
async function sealInTurn(context: Context, store: string, job: SealJob): Promise<void> {
  const name = recordName(job.runtime, job.session).replace(/\.json$/, '');
  const lock = join(hooksFolder(store), `${name}.lock`);
  const again = join(hooksFolder(store), `${name}.again`);
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > lockMsMax) rmSync(lock, { force: true });
  writePrivate(again, '');
  while (existsSync(again)) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
    } catch {
      return;
    }
    try {
      rmSync(again, { force: true });
      await sealNow(context, store, job);
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

async function sealNow(context: Context, store: string, job: SealJob): Promise<void> {
  const { runtime, session, folder, ended } = job;
  const record = readRecord(store, runtime, session);
  const by = { ...agentOf({ runtime, id: session }), ...(record === null ? {} : { name: record.agent }) };
  const sealed = await sealHeldSession(context, await loadRuntimes(process.env), {
    by,
    runtime,
    session,
    path: job.transcript,
    folder: worktreeRoot(folder),
    trigger: job.trigger,
    unlessUnchanged: !ended && job.trigger === 'planned',
    before: async (held) => {
      await takeWatchedNotes(context, { store, folder, held, by: held.holder, final: true });
    },
  });
  if (sealed === 'sealed' && record?.leg !== undefined && record.leg !== null)
    await prepare(context, store, record.leg.task, runtime);
  const now = readRecord(store, runtime, session);
  if (now === null) return;
  const leg = sealed === 'not-held' ? null : now.leg;
  writeRecord(store, { ...now, leg, changed: false, ...(sealed === 'unchanged' ? {} : { news: false }) });
}

async function rescueDead(
  context: Context,
  store: string,
  job: Extract<Job, { kind: 'rescue' }>,
): Promise<void> {
  const now = Date.now();
  const looked = new Looked(join(hooksFolder(store), 'looked.json'));
  const byHooks = toldByHooks(allRecords(store));
  const known = (card: SessionCard): SessionCard | null => {
    if (card.runtime === job.runtime && card.id === job.session) return null;
    const told = byHooks(card);
    return told === null || looked.has(told) ? null : told;
  };
  const { rescued } = await rescue(
    async () => await Promise.resolve(context),
    await loadRuntimes(process.env),
    {
      folder: worktreeRoot(job.folder),
      since: now - sinceMs,
      silentSince: now - silentMs,
      to: 'anyone',
      readMax,
      known: (card) => {
        const told = known(card);
        if (told !== null && (told.liveness !== 'unknown' || told.updatedAt <= now - silentMs))
          looked.add(told);
        return told;
      },
    },
  );
  looked.save();
  for (const { session, outcome, why } of rescued) {
    if (outcome === 'refused' || outcome === 'unreadable')
      logLine(dirname(store), `rescue of ${session.runtime}:${session.id}: ${why}`);
  }
  const [one, ...others] = await waitingFor(context, agentOf({ runtime: job.runtime, id: job.session }));
  if (one !== undefined && others.length === 0) await prepare(context, store, one.task, job.runtime);
  // Whoever waits need wait no longer.
  process.stdout.write('.');
  await recover(context, {});
}

/** Fits into what a host lets a hook say. */
const briefingTokens = 1800;

async function prepare(context: Context, store: string, task: TaskId, target: string): Promise<void> {
  await prepareBriefing(context, task, keptBriefings(store), async () => {
    const readerOf = readersOf(await loadRuntimes(process.env));
    return { readerOf, count: await loadCounter(target), budget: briefingTokens, target };
  });
}

const lookedMax = 500;

/** Sessions that were read, as they were then: unchanged ones are not read at every start. */
class Looked {
  readonly #path: string;
  readonly #marks: Map<string, string>;

  constructor(path: string) {
    this.#path = path;
    this.#marks = new Map(entriesIn(path));
  }

  has(card: SessionCard): boolean {
    return this.#marks.get(`${card.runtime}:${card.id}`) === markOf(card);
  }

  add(card: SessionCard): void {
    this.#marks.set(`${card.runtime}:${card.id}`, markOf(card));
  }

  save(): void {
    writePrivate(this.#path, JSON.stringify([...this.#marks].slice(-lookedMax)));
  }
}

function markOf({ updatedAt, liveness }: SessionCard): string {
  return `${updatedAt} ${liveness}`;
}

function entriesIn(path: string): [string, string][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as [string, string][];
  } catch {
    return [];
  }
}
