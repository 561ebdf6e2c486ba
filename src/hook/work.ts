/** What takes long, in a process that no host waits for: sealing a session, and rescuing those that died. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf, type Home } from '../home/home.ts';
import { defaultStore, worktreeRoot } from '../home/locate.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { allRecords, toldByHooks, writePrivate, writeRecord } from '../home/session-record.ts';
import { agentOf } from '../core/task/agent-name.ts';
import type { Context } from '../handoff/record/context.ts';
import { legsOfSession, waitingFor } from '../handoff/views/greet.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { recover } from '../handoff/verbs/recover.ts';
import { rescue } from '../handoff/sessions/rescue.ts';
import type { SessionCard } from '../ports/runtime.ts';
import { keep } from './kept.ts';
import { logLine } from './log.ts';
import { prepare } from './prepare.ts';
import { isDead, settleGone } from './gone.ts';
import { sealInTurn } from './seal.ts';
import type { Job, OfSession } from './start-work.ts';
import { open } from './store.ts';

interface Place {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** Nobody waits; a writer may take its time. */
const busyMs = 10_000;
/** Of the sessions that changed within a day, so many are read at a start. */
const readMax = 5;
const sinceMs = 24 * 60 * 60_000;
const silentMs = 10 * 60_000;

export async function work(given: string): Promise<void> {
  const home = homeOf(defaultStore(process.cwd(), process.env).store);
  if (home === undefined) return;
  // Whoever started this may be gone by now.
  process.stdout.on('error', () => undefined);
  try {
    const job = JSON.parse(given) as Job;
    const place = { home, env: process.env };
    await using opened = await open(place, job.folder, busyMs);
    if (job.kind === 'rescue') await rescueDead(opened.context, place, job);
    else await sealInTurn(opened.context, place, job);
  } catch (error) {
    logLine(home, `work: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function rescueDead(
  context: Context,
  place: Place,
  job: Extract<Job, { kind: 'rescue' }>,
): Promise<void> {
  const { home } = place;
  const now = Date.now();
  const base = lookAtStart(context, home, job);
  await settleGone(context, place, job);
  const looked = new Looked(join(home.hooks, 'looked.json'));
  const records = allRecords(home);
  const byHooks = toldByHooks(records);
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
  for (const record of records) {
    if ((record.leg === null && record.unsure !== true) || !isDead(record)) continue;
    writeRecord(home, { ...record, leg: null, unsure: false });
    const by = { ...agentOf({ runtime: record.runtime, id: record.session }), name: record.agent };
    for (const leg of record.lent === true ? [] : await legsOfSession(context, by))
      await leave(context, leg, { to: 'anyone', trigger: 'crash', why: 'Its program is gone.' });
  }
  for (const { session, outcome, why } of rescued) {
    if (outcome === 'refused' || outcome === 'unreadable')
      logLine(home, `rescue of ${session.runtime}:${session.id}: ${why}`);
  }
  const [one, ...others] = await waitingFor(context, agentOf({ runtime: job.runtime, id: job.session }));
  if (one !== undefined && others.length === 0) await prepare(context, home, one.task, job.runtime);
  await base;
  // Whoever waits need wait no longer.
  process.stdout.write('.');
  await recover(context, {});
}

/** How the workspace is when a session starts: by that it is known at the end whether it changed anything. */
async function lookAtStart(context: Context, home: Home, job: OfSession): Promise<void> {
  try {
    const workspace = await context.workspace?.();
    keep(home, job, { base: workspace === undefined ? null : (await workspace.probe()).digest });
  } catch (error) {
    logLine(home, `work: ${error instanceof Error ? error.message : String(error)}`);
  }
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
