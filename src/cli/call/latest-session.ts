/** The session that worked in this folder last, and how it stopped; for telling it, without a store. */
import { loadRuntimes } from '../../compose/runtimes.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { conditionOf, type Condition } from '../../core/transcript/condition.ts';
import { installedPrograms } from '../../desk/sessions/installed-programs.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import { worktreeRoot } from '../../home/locate.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';

export interface LatestSession {
  readonly card: SessionCard;
  /** Null where it is too large to be read for this, or cannot be. */
  readonly condition: Condition | null;
  /** What goes on from it. */
  readonly command: string;
}

/** More would keep a user waiting who only asks where they are. */
const bytesMax = 64 * 1024 * 1024;

export async function latestSession(env: NodeJS.ProcessEnv): Promise<LatestSession | null> {
  const runtimes = await loadRuntimes(env);
  const { sessions } = await findSessions(runtimes, { folder: worktreeRoot(process.cwd()), limit: 20 });
  return await latestOf(sessions, runtimes);
}

/** Of those that were found, newest first. */
export async function latestOf(
  sessions: readonly SessionCard[],
  runtimes: readonly Runtime[],
): Promise<LatestSession | null> {
  const card = sessions.find(({ parent }) => parent === null);
  const runtime = runtimes.find(({ name }) => name === card?.runtime);
  if (card === undefined || runtime === undefined) return null;
  const condition =
    (card.bytes ?? 0) > bytesMax || card.pointerOnly !== null ? null : await conditionIn(runtime, card);
  return {
    card,
    condition,
    command: resumeCommand(card, condition, await installedPrograms(runtimes)),
  };
}

async function conditionIn(runtime: Runtime, card: SessionCard): Promise<Condition | null> {
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

/** A limit of usage is that of a program, and one that is open goes on by itself: then another. Else the same one does, with room in its window. */
function resumeCommand(
  { runtime, liveness }: SessionCard,
  condition: Condition | null,
  here: readonly string[],
): string {
  const other = here.find((name) => name !== runtime);
  const own = here.includes(runtime) ? runtime : undefined;
  const isSpent = condition?.stopped === 'usage-limit' || liveness === 'alive';
  return `staffetta resume --in ${(isSpent ? (other ?? own) : (own ?? other)) ?? 'PROGRAM'}`;
}
