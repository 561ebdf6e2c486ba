/** What goes on where `resume` names no task: the latest session of this folder, or the one task that waits. */
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { programTitle } from '../../core/resume/runtime-names.ts';
import { installedPrograms } from '../../desk/sessions/installed-programs.ts';
import { offersFor } from '../../handoff/views/offers.ts';
import { passOn, type PassedOn } from '../../desk/sessions/pass-on.ts';
import { tasksOfSession } from '../../handoff/sessions/session-task.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { ListedCard } from '../../ports/journal.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import type { Values } from '../frame/spec.ts';
import { text } from '../frame/values.ts';
import type { Session } from './session.ts';
import { triggerFrom } from './trigger.ts';

export interface ResumeSource {
  readonly task: TaskId | null;
  /** The session that it goes on from, where no task was named. */
  readonly passed?: PassedOn;
}

interface Going {
  readonly runtime: Runtime;
  readonly runtimes: readonly Runtime[];
  readonly values: Values;
}

export async function resumeSource(
  session: Session,
  given: string | undefined,
  going: Going,
): Promise<ResumeSource> {
  const from = text(going.values, 'from');
  const isNamed = (given ?? '') !== '' || (session.env['STAFFETTA_LEG'] ?? '') !== '';
  if (from === undefined && (isNamed || session.actor.kind !== 'human'))
    return { task: await session.task(given) };
  const waiting = from === undefined && session.storeExists ? await waitingTasks(session) : [];
  const folder = worktreeRoot(process.cwd());
  const chosen = from ?? (await latestOf(session, going, { folder, waiting }));
  await refuseMissing(going);
  if (typeof chosen !== 'string') return { task: chosen.task };
  const passed = await passOn(await session.looking(), going.runtimes, {
    given: chosen,
    folder,
    to: `runtime:${going.runtime.name}`,
    trigger: triggerFrom(going.values),
    outside: session.actor.kind === 'human',
    dryRun: session.dryRun,
    writing: async () => await session.context({ create: true }),
  });
  return { task: passed.task, passed };
}

/** Before anything is sealed for it. */
async function refuseMissing({ runtime, runtimes, values }: Going): Promise<void> {
  if (values['unproven'] === true || ((await runtime.locate())?.program ?? null) !== null) return;
  const here = await installedPrograms(runtimes);
  throw new StaffettaError('runtime-missing', `${programTitle(runtime.name)} is not installed here.`, {
    details: { runtime: runtime.name, installed: here },
    hint:
      here.length === 0
        ? `Install it, or seal the session for another machine: staffetta handoff --from latest --to ${runtime.name}`
        : `Here are: ${here.join(', ')}. E.g. staffetta resume --in ${here[0] ?? ''}`,
  });
}

async function waitingTasks(session: Session): Promise<readonly ListedCard[]> {
  return await offersFor(await session.context(), undefined, { most: 20, newestFirst: true });
}

/** Sessions that changed within so little time of each other are equally recent. */
const equallyMs = 1000;

/** The latest session, or the latest two where nobody can say which is; newest first as they were found. */
export function mostRecent(sessions: readonly SessionCard[]): readonly SessionCard[] {
  const [latest, second] = sessions.filter(({ parent }) => parent === null);
  if (latest === undefined) return [];
  return second !== undefined && latest.updatedAt - second.updatedAt < equallyMs
    ? [latest, second]
    : [latest];
}

/** The session, or the task where there is no session, or one that was opened since. */
async function latestOf(
  session: Session,
  { runtime, runtimes }: Going,
  { folder, waiting }: { readonly folder: string; readonly waiting: readonly ListedCard[] },
): Promise<string | ListedCard> {
  const found = await findSessions(runtimes, { folder, limit: 20 });
  const recent = mostRecent(found.sessions);
  const [latest] = recent;
  const [task, other] = waiting;
  const inProgram = `--in ${runtime.name}`;
  if (recent.length > 1)
    throw several(
      'Two sessions are equally recent',
      recent.map((card) => fromCommand(card, inProgram)),
    );
  if (latest === undefined) {
    if (task !== undefined && other === undefined) return task;
    if (task !== undefined)
      throw several(
        'Several tasks wait',
        waiting.slice(0, 5).map((card) => taskCommand(card, inProgram)),
      );
    throw nothingHere(session, found.installed, folder);
  }
  const own = waiting.length === 0 ? [] : await tasksOfSession(await session.context(), latest);
  const since = waiting.filter(
    ({ task: one, updatedAt }) => updatedAt > latest.updatedAt && !own.includes(one),
  );
  const [newer] = since;
  if (newer !== undefined)
    throw several('A session and a task could be meant', [
      ...since.slice(0, 4).map((card) => taskCommand(card, inProgram)),
      fromCommand(latest, inProgram),
    ]);
  return `${latest.runtime}:${latest.id}`;
}

export function fromCommand({ runtime, id }: SessionCard, inProgram: string): string {
  return `staffetta resume --from ${runtime}:${id} ${inProgram}`;
}

function taskCommand({ task, title }: ListedCard, inProgram: string): string {
  return `staffetta resume ${task} ${inProgram}   (${title})`;
}

function several(what: string, commands: readonly string[]): StaffettaError {
  return new StaffettaError('ambiguous-session', `Which? ${what}.`, {
    details: { commands: [...commands] },
    hint: commands.join('\n  '),
  });
}

function nothingHere(session: Session, installed: readonly string[], folder: string): StaffettaError {
  const where =
    installed.length === 0
      ? 'No coding agent has left data on this machine'
      : `No coding agent has left a session in ${folder}`;
  return new StaffettaError(
    'unknown-session',
    `There is nothing to go on with. ${where}, and no task waits here.`,
    {
      details: { folder, installed: [...installed], store: session.store.shown },
      hint: 'Sessions of other folders: staffetta sessions --everywhere. New work: staffetta open "what should be done"',
    },
  );
}
