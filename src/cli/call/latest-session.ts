/** The session that worked in this folder last, and how it stopped; for telling it, without a store. Two where they are equally recent: `resume` asks then which is meant. */
import { loadRuntimes } from '../../compose/runtimes.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { conditionOf, type Condition } from '../../core/transcript/condition.ts';
import { installedPrograms, programAfter } from '../../desk/sessions/installed-programs.ts';
import { isBusy } from '../../handoff/sessions/session-look.ts';
import { mostRecent } from '../../desk/sessions/most-recent.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';

export interface LatestSession {
  readonly card: SessionCard;
  /** Null where it is too large to be read for this, or cannot be. */
  readonly condition: Condition | null;
  /** What goes on from it; where no program is installed, what seals it for whoever reads it. */
  readonly command: string;
  readonly isForProgram: boolean;
  /** It may be in the middle of a turn: to go on from it is refused. */
  readonly isBusy: boolean;
}

/** More would keep a user waiting who only asks where they are. */
const bytesMax = 64 * 1024 * 1024;

export async function latestSessions(env: NodeJS.ProcessEnv): Promise<readonly LatestSession[]> {
  const runtimes = await loadRuntimes(env);
  const { sessions } = await findSessions(runtimes, { folder: worktreeRoot(process.cwd()), limit: 20 });
  return await latestOf(sessions, runtimes);
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
