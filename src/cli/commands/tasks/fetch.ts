import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import type { FarStore } from '../../../desk/far/far-store.ts';
import { withKept } from '../../../desk/far/kept-copy.ts';
import { takeParcel } from '../../../desk/far/parcel.ts';
import { farAddress, withFar } from '../../../desk/far/reach.ts';
import { goOnCommand, installedPrograms } from '../../../desk/sessions/installed-programs.ts';
import { unknownTask } from '../../../handoff/record/load.ts';
import { judgeExport, type ImportSource } from '../../../handoff/trust/import.ts';
import { moveTasks, openEnd, type Moved } from '../../../handoff/trust/move.ts';
import { storeName } from '../../../home/home.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import { readBytes } from '../../frame/input.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseStray, text } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [from = '', word] = positionals;
  const address = existsSync(from) ? undefined : farAddress(from);
  if (address === undefined) {
    refuseStray(values, ['ssh', 'there', 'why'], 'user@host');
    if (word !== undefined) throw new UsageError('A file holds one task.', `staffetta fetch ${from}`);
    return await takeFile(session, resolve(from));
  }
  const ways = { ssh: text(values, 'ssh'), there: text(values, 'there') };
  return await withFar(address, ways, async (far) => {
    const { dryRun, actor: by } = session;
    await far.open({ folder: address.folder, by, dryRun });
    const task = await taskToFetch(far, word);
    const why = text(values, 'why') ?? `Fetched to ${storeName(session.store)}.`;
    if (!dryRun) await far.rest(task, why);
    return await tell(session, await fetchFar(session, task, { far, why }), address.host);
  });
}

/** The one that is named, else the only one there is. */
async function taskToFetch(far: FarStore, word: string | undefined): Promise<TaskId> {
  if (word !== undefined) return await far.find(word);
  const there = await far.list();
  const [only, second] = there;
  if (only !== undefined && second === undefined) return only.task;
  const listed = there.map(({ task, title, status }) => `${task} (${status}, ${line(title)})`).join('; ');
  throw new UsageError(
    only === undefined ? 'There is nothing to fetch there.' : 'Fetch which task?',
    only === undefined
      ? 'Name the folder that the work was done in: user@host:FOLDER'
      : `Name one: ${listed}`,
  );
}

async function fetchFar(
  session: Session,
  task: TaskId,
  { far, why }: { readonly far: FarStore; readonly why: string },
): Promise<Moved> {
  const { dryRun, actor: by } = session;
  await session.context({ create: true });
  return await longRun(session, 'fetch', async (context) => {
    const to = openEnd(context, storeName(session.store), by);
    const [moved] = await moveTasks([task], {
      from: far,
      to: {
        name: to.name,
        adopt: async (source) => await withKept(source(), async (kept) => await to.adopt(kept, dryRun)),
        arrive: async (arrived, from) => await to.arrive(arrived, from),
      },
      dryRun,
      why,
    });
    if (moved === undefined) throw unknownTask(task);
    return moved;
  });
}

async function takeFile(session: Session, path: string): Promise<number> {
  const { dryRun, actor: by } = session;
  const source: ImportSource = () => readBytes(path, Number.POSITIVE_INFINITY);
  // No store is created for a file that will be refused.
  if (!session.storeExists) await judgeExport(source);
  await session.context({ create: true });
  const moved = await longRun(session, 'fetch', async (context) => {
    const own = { context, name: storeName(session.store), by };
    return await takeParcel(own, { path, source, dryRun });
  });
  return await tell(session, moved, path);
}

async function tell(session: Session, moved: Moved, from: string): Promise<number> {
  const { dryRun } = session;
  const { task, status, unchanged } = moved;
  session.output.data({ ...moved, from, ...(dryRun ? { dryRun } : {}) }, () =>
    unchanged
      ? `${task} is here already: ${status}.`
      : `${dryRun ? 'Would fetch' : 'Fetched'} ${task} from ${line(from)}: ${status} here.`,
  );
  if (!dryRun) {
    const programs = await installedPrograms(await loadRuntimes(session.env));
    next(session.output, goOnCommand(task, programs));
  }
  return exits.ok;
}
