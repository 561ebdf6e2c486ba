import { filled } from '../../../core/base/defined.ts';
import { resolve } from 'node:path';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { quoteWord } from '../../../core/base/command-line.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { isTaskId, type TaskId } from '../../../core/journal/id.ts';
import { isPerson } from '../../../core/task/actor.ts';
import { sealHeld } from '../../../desk/far/far-end.ts';
import type { FarStore } from '../../../desk/far/far-store.ts';
import { parcelEnd, parcelName } from '../../../desk/far/parcel.ts';
import { farAddress, withFar, type FarAddress } from '../../../desk/far/reach.ts';
import { goOnCommand } from '../../../desk/sessions/installed-programs.ts';
import { passOn } from '../../../desk/sessions/pass-on.ts';
import { readCheckedPacket } from '../../../handoff/history/history.ts';
import { load, unknownTask } from '../../../handoff/record/load.ts';
import { moveTasks, openEnd, type Moved, type MoveEnd } from '../../../handoff/trust/move.ts';
import { storeName } from '../../../home/home.ts';
import { worktreeRoot } from '../../../home/locate.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, refuseStray, text } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const words = positionals.filter((word) => word !== '');
  const file = text(values, 'file');
  refuseBoth(values, 'file', 'ssh');
  refuseBoth(values, 'file', 'there');
  if (file === undefined) {
    refuseStray(values, ['to'], '--file');
    const [only = '', more] = words;
    const isNowhere = more === undefined && (await isTask(session, only));
    const address = destination(isNowhere ? undefined : words.at(-1));
    const ways = { ssh: text(values, 'ssh'), there: text(values, 'there') };
    if (words.length > 2) throw new UsageError('Send one task at a time.', 'staffetta send TASK user@host');
    const task = await taskToSend(session, words.length === 2 ? words[0] : undefined);
    if (task === undefined) return exits.ok;
    return await withFar(address, ways, async (far) => await sendFar(session, task, { far, address }));
  }
  if (words.length > 1)
    throw new UsageError('A task goes to another machine or into a file.', 'Leave one of them out.');
  const task = await taskToSend(session, words[0]);
  return task === undefined ? exits.ok : await sendFile(session, task, resolve(file));
}

function destination(word: string | undefined): FarAddress {
  const address = word === undefined ? undefined : farAddress(word);
  if (address !== undefined) return address;
  throw new UsageError(
    word === undefined ? 'Send it to which machine?' : `${JSON.stringify(word)} names no machine.`,
    'As ssh names it: user@host or user@host:FOLDER. Without ssh: --file FILE',
  );
}

/** A task alone is no machine, whatever ssh might make of its id. */
async function isTask(session: Session, word: string): Promise<boolean> {
  if (isTaskId(word)) return true;
  if (!/^t[0-9a-z]{3,}$/.test(word) || !session.storeExists) return false;
  const { store } = await session.context();
  return (await store.catalog.resolve(word, 1)).length > 0;
}

/** The one that is named, else that of the latest session here, which is sealed first. */
async function taskToSend(session: Session, word: string | undefined): Promise<TaskId | undefined> {
  if (word !== undefined) return await session.task(word);
  const { task, look } = await passOn(await session.looking(), await loadRuntimes(session.env), {
    given: 'latest',
    folder: worktreeRoot(process.cwd()),
    to: 'anyone',
    trigger: undefined,
    outside: isPerson(session.actor),
    dryRun: session.dryRun,
    writing: async () => await session.context({ create: true }),
  });
  const { id, runtime } = look.card;
  if (task === null)
    session.output.data(
      { dryRun: true, from: { runtime, id }, task: null },
      () => `Would open a task for the session ${id} of ${runtime}, seal it, and send it.`,
    );
  else session.output.say(`The latest session here, ${id} of ${runtime}, is sealed in ${task}.`);
  return task ?? undefined;
}

async function sendFar(
  session: Session,
  task: TaskId,
  { far, address }: { readonly far: FarStore; readonly address: FarAddress },
): Promise<number> {
  const { dryRun, actor: by } = session;
  const there = await far.open({ folder: address.folder, by, dryRun });
  const { moved, sealed } = await leave(session, task, far);
  const commit = await sealedOn(session, task);
  const hasCommit = commit === null ? null : await far.hasCommit(commit);
  const { host } = address;
  session.output.data(
    {
      ...moved,
      to: { host, folder: there.folder, store: there.name },
      sealed,
      commit: commit === null ? null : { commit, isThere: hasCommit },
      ...(there.isNew ? { createsStore: there.name } : {}),
      ...filled({ dryRun }),
    },
    () => {
      if (moved.unchanged) return `${task} is at ${line(host)} already: ${moved.status}.`;
      const store = `${line(there.name)}${there.isNew ? ', a new store' : ''}`;
      return `${dryRun ? 'Would send' : 'Sent'} ${task} to ${store}: ${moved.status} there.`;
    },
  );
  if (hasCommit === false)
    session.output.say(
      `Commits do not go along: ${commit ?? ''} is not in ${line(there.folder)} there. Push it here, fetch it there; until then files that it has are missing.`,
      'warn',
    );
  if (!dryRun)
    next(
      session.output,
      `ssh -t ${quoteWord(host)} 'cd ${quoteWord(line(there.folder))} && ${goOnCommand(task, there.programs ?? [])}'`,
    );
  return exits.ok;
}

async function sendFile(session: Session, task: TaskId, path: string): Promise<number> {
  const { dryRun } = session;
  const context = await session.context();
  const standing = await openEnd(context, '', session.actor).standing(task);
  if (standing === undefined) throw unknownTask(task);
  if (standing.isOver)
    throw new StaffettaError(
      'wrong-state',
      `Task ${task} is ${standing.status}, and nobody goes on with it.`,
      {
        details: { task, status: standing.status },
        hint: `For a copy: staffetta export ${task} --out ${quoteWord(path)}`,
      },
    );
  const name = text(session.values, 'to') ?? parcelName(standing);
  const { moved, sealed } = await leave(session, task, parcelEnd(path, name));
  const said = { task, status: moved.status, file: path, to: name, sealed, ...(dryRun ? { dryRun } : {}) };
  session.output.data(
    said,
    () => `${dryRun ? 'Would send' : 'Sent'} ${task} into ${line(path)}; here it can only be read now.`,
  );
  if (dryRun) return exits.ok;
  session.output.say(
    text(session.values, 'to') === undefined
      ? 'Take it in at one place only: the first to read the file goes on with the task.'
      : `Only ${line(name)} can take it in.`,
  );
  next(session.output, `staffetta fetch ${quoteWord(path)}`);
  return exits.ok;
}

/** A holder here is given its leave first: what it did is sealed, and the task is on offer where it arrives. */
async function leave(
  session: Session,
  task: TaskId,
  to: Pick<MoveEnd, 'name' | 'adopt' | 'arrive'>,
): Promise<{ readonly moved: Moved; readonly sealed: boolean }> {
  const { dryRun, actor: by } = session;
  const why = text(session.values, 'why') ?? `Sent to ${to.name}.`;
  const name = storeName(session.store);
  if (name === to.name)
    throw new StaffettaError('invalid-input', `The store there has the name of this one: ${name}.`, {
      hint: 'Name another folder. Two machines need names of their own: see hostname on both.',
    });
  return await longRun(session, 'send', async (context) => {
    const sealed = await sealHeld(context, task, { by, why, dryRun });
    const [moved] = await moveTasks([task], { from: openEnd(context, name, by), to, dryRun, why });
    if (moved === undefined) throw unknownTask(task);
    return { moved: dryRun && sealed ? { ...moved, status: 'offered' } : moved, sealed };
  });
}

/** The commit that the latest packet was sealed on: it holds what differs from that. */
async function sealedOn(session: Session, task: TaskId): Promise<string | null> {
  const context = await session.context();
  const { packet } = (await load(context, task)).state;
  if (packet === null) return null;
  return (await readCheckedPacket(context, packet)).facts?.workspace?.git?.head ?? null;
}
