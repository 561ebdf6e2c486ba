/** The session that worked in this folder last, and how it stopped; for telling it, without a store. Two where they are equally recent: `resume` asks then which is meant. */
import { loadRuntimes } from '../../compose/runtimes.ts';
import { passingRedactor } from '../../compose/redactor.ts';
import { filled } from '../../core/base/defined.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { cut } from '../../core/base/text.ts';
import { conditionOf, type Condition } from '../../core/transcript/condition.ts';
import { installedPrograms, programAfter } from '../../desk/sessions/installed-programs.ts';
import { isBusy } from '../../handoff/sessions/session-look.ts';
import { cardsWithoutSecrets } from '../../handoff/sessions/session-said.ts';
import { mostRecent } from '../../desk/sessions/most-recent.ts';
import { isFinal } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { load } from '../../handoff/record/load.ts';
import { tasksOfSession } from '../../handoff/sessions/session-task.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';
import { line } from '../frame/output.ts';
import type { Session } from './session.ts';

export interface LatestSession {
  readonly card: SessionCard;
  /** Null where it is too large to be read for this, or cannot be. */
  readonly condition: Condition | null;
  /** What goes on from it; where no program is installed, what seals it for whoever reads it. */
  readonly command: string;
  readonly isForProgram: boolean;
  /** It may be in the middle of a turn: to go on from it is refused. */
  readonly isBusy: boolean;
  /** Of several: its title, or what was said last, searched for secrets. */
  readonly about?: string;
}

/** More would keep a user waiting who only asks where they are. */
const bytesMax = 64 * 1024 * 1024;

export async function latestSessions(env: NodeJS.ProcessEnv): Promise<readonly LatestSession[]> {
  const runtimes = await loadRuntimes(env);
  const { sessions } = await findSessions(runtimes, { folder: worktreeRoot(process.cwd()), limit: 20 });
  const latest = await latestOf(sessions, runtimes);
  if (latest.length < 2) return latest;
  const told = await cardsWithoutSecrets(
    await passingRedactor(env),
    latest.map(({ card }) => card),
  );
  return latest.map((one, i) => ({ ...one, ...filled({ about: saidIn(told[i] ?? one.card) }) }));
}

const saidMax = 80;

/** Which one it is, as far as a person can tell. */
export function saidIn({ title, lastPrompt }: SessionCard): string | null {
  const said = title ?? lastPrompt;
  return said === null ? null : `“${cut(line(said), saidMax)}”`;
}

/** Of those that were found, newest first. */
export async function latestOf(
  sessions: readonly SessionCard[],
  runtimes: readonly Runtime[],
): Promise<readonly LatestSession[]> {
  const cards = mostRecent(sessions);
  const here = cards.length === 0 ? [] : await installedPrograms(runtimes);
  const latest: LatestSession[] = [];
  for (const card of cards) {
    const condition = await conditionIn(runtimes, card);
    const program = programFor(card, condition, here);
    latest.push({
      card,
      condition,
      isBusy: condition !== null && isBusy({ card, condition }, Date.now()),
      isForProgram: program !== undefined,
      command: goOnFrom(card, program, cards.length === 1),
    });
  }
  return latest;
}

function goOnFrom(card: SessionCard, program: string | undefined, isOnly: boolean): string {
  if (program === undefined)
    return `staffetta handoff --from ${isOnly ? 'latest' : `${card.runtime}:${card.id}`} --to anyone`;
  return isOnly ? `staffetta resume --in ${program}` : fromCommand(card, `--in ${program}`);
}

/** With why, where it does not go on in a program. */
export function goOnWords({ command, isForProgram }: LatestSession): string {
  return isForProgram
    ? command
    : `no coding agent is installed here to go on in: install one, or seal it to be read: ${command}`;
}

export function fromCommand({ runtime, id }: SessionCard, inProgram: string): string {
  return `staffetta resume --from ${runtime}:${id} ${inProgram}`;
}

export async function conditionIn(
  runtimes: readonly Runtime[],
  card: SessionCard,
): Promise<Condition | null> {
  const runtime = runtimes.find(({ name }) => name === card.runtime);
  if (runtime === undefined || (card.bytes ?? 0) > bytesMax || card.pointerOnly !== null) return null;
  try {
    const records: Uint8Array[] = [];
    for await (const record of (await runtime.capture(card)).records) records.push(record);
    return conditionOf(runtime.read(records));
  } catch (error) {
    // Gone since it was listed, or not to be read: the card says what is known.
    if (!isStaffettaError(error) && !(error instanceof Error && 'code' in error)) throw error;
    return null;
  }
}

/** A limit of usage is that of a program, and one that is open goes on by itself. */
function programFor(
  { runtime, liveness }: SessionCard,
  condition: Condition | null,
  here: readonly string[],
): string | undefined {
  const isSpent = condition?.stopped === 'usage-limit' || liveness === 'alive';
  return programAfter(runtime, here, { isSpent });
}

/**
 * What it worked on is `over`, and it has done nothing since; or it is a task that is offered, held or judged, whose own command is told
 * here; or nobody goes on with it unless somebody says so.
 */
export async function standingOfSession(
  context: Context,
  { card }: LatestSession,
): Promise<'over' | 'told' | 'open'> {
  const [task] = (await tasksOfSession(context, card)).toReversed();
  if (task === undefined) return 'open';
  const { state } = await load(context, task);
  if (isFinal(state)) return card.updatedAt > state.updatedAt ? 'open' : 'over';
  return state.leg?.holder.session === card.id ? 'open' : 'told';
}

/** Stopped and not by itself, and nobody has gone on with it: what a person would want to know of. */
export async function stoppedHere(session: Session): Promise<readonly LatestSession[]> {
  const latest = await latestSessions(session.env);
  const cut = latest.filter(({ card, condition, isBusy }) => {
    const stopped = condition?.stopped ?? null;
    return (
      !isBusy &&
      (stopped === null ? card.liveness === 'dead' && condition?.settled === false : stopped !== 'ended')
    );
  });
  if (!session.storeExists) return cut;
  const context = await session.context();
  const standings = await Promise.all(cut.map(async (one) => await standingOfSession(context, one)));
  return cut.filter((_, i) => standings[i] === 'open');
}

/** None where it would be refused: somebody is in the middle of a turn. */
export function goOnCommands(latest: LatestSession): string[] {
  return latest.isBusy ? [] : [goOnWords(latest)];
}
