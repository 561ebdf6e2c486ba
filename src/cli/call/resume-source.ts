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
import { latestMeant, mostRecent } from '../../desk/sessions/most-recent.ts';
import { passingRedactor } from '../../compose/redactor.ts';
import type { Condition } from '../../core/transcript/condition.ts';
import { cardsWithoutSecrets } from '../../handoff/sessions/session-said.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import { stopWords } from '../pages/resume-page.ts';
import { conditionIn, fromCommand, saidIn } from './latest-session.ts';
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
  const chosen =
    from === undefined
      ? await latestOf(session, going, { folder, waiting })
      : await namedIn(session, going, { from, folder });
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
  if (recent.length > 1) return await oneOf(session, recent, { runtimes, inProgram });
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

/** As it was said, unless that means one of two that are equally recent. */
async function namedIn(
  session: Session,
  { runtime, runtimes }: Going,
  { from, folder }: { readonly from: string; readonly folder: string },
): Promise<string> {
  const recent = (await latestMeant(runtimes, { given: from, folder })) ?? [];
  if (recent.length < 2) return from;
  return await oneOf(session, recent, { runtimes, inProgram: `--in ${runtime.name}` });
}

/** Nobody can say which of them is meant but the person: asked at a terminal, and refused elsewhere. */
async function oneOf(
  session: Session,
  cards: readonly SessionCard[],
  { runtimes, inProgram }: { readonly runtimes: readonly Runtime[]; readonly inProgram: string },
): Promise<string> {
  const told = await cardsWithoutSecrets(await passingRedactor(session.env), cards);
  const conditions = await Promise.all(cards.map(async (card) => await conditionIn(runtimes, card)));
  const about = told.map((card, i) => sessionWords(card, conditions[i] ?? null));
  const { askOnce, mayAsk } = await import('../contract/dialogue.ts');
  if (!mayAsk(session) || !process.stdout.isTTY)
    throw several(
      'Two sessions are equally recent',
      cards.map((card, i) => `${fromCommand(card, inProgram)}   (${about[i] ?? ''})`),
    );
  const listed = about.map((words, i) => `  ${i + 1}. ${words}\n`).join('');
  for (;;) {
    const answer = await askOnce(`Two sessions are equally recent.\n${listed}Which? 1 or 2, Enter: none`);
    const chosen = cards[Number(answer ?? '') - 1];
    if (chosen !== undefined) return `${chosen.runtime}:${chosen.id}`;
    if (answer === null || answer === '')
      throw new StaffettaError('interrupted', 'Nothing was started, and nothing sealed.');
  }
}

function sessionWords(card: SessionCard, condition: Condition | null): string {
  const { runtime, id } = card;
  return `${programTitle(runtime)} ${stopWords(condition, card.liveness)}: ${saidIn(card) ?? id}`;
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
