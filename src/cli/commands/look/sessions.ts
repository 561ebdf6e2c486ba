import { worktreeRoot } from '../../../home/locate.ts';
import { passingRedactor } from '../../../compose/redactor.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import type { Condition } from '../../../core/transcript/condition.ts';
import { unprovenWords } from '../../../core/resume/session-version.ts';
import {
  tellSessions,
  cardsWithoutSecrets,
  type ToldSession,
} from '../../../handoff/sessions/session-said.ts';
import { findSessions } from '../../../handoff/sessions/sessions.ts';
import { runtimeNames, type Runtime, type RuntimeName, type SessionCard } from '../../../ports/runtime.ts';
import { conditionIn, goOnWords, latestOf } from '../../call/latest-session.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { formatShort } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { table } from '../../frame/table.ts';
import { cap, text } from '../../frame/values.ts';
import { counted, next } from '../../pages/words.ts';

const shownMax = 20;
const looksMax = 10_000;

/** The sessions that coding agents keep for this workspace. Read only, without a store. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const of = text(values, 'of');
  const limit = cap(values, 'limit', looksMax) ?? shownMax;
  const everywhere = values['everywhere'] === true;
  const root = worktreeRoot(process.cwd());
  const runtimes = await loadRuntimes(session.env);
  const found = await findSessions(runtimes, {
    limit: looksMax,
    ...(of === undefined ? {} : { runtime: of as RuntimeName }),
    ...(everywhere ? {} : { folder: root }),
  });
  const { output } = session;
  const cards = shownOf(found.sessions, limit);
  const shown = new Set(cards);
  const left = found.sessions.filter((card) => !shown.has(card));
  const redactor = await passingRedactor(session.env);
  const told = await cardsWithoutSecrets(redactor, await tellSessions(runtimes, cards));
  const sessions: EndedSession[] = [];
  // Of one whose process lives, or is gone without an end, that says enough.
  for (const card of told) {
    const isOver = card.liveness === 'unknown' || card.liveness === 'ended';
    const condition = isOver ? await conditionIn(runtimes, card) : null;
    sessions.push({ ...card, stopped: condition?.stopped ?? null, settled: condition?.settled ?? null });
  }
  const proven = Object.fromEntries(runtimes.map(({ name, provenVersions }) => [name, provenVersions]));
  output.data({ ...found, sessions, more: left.length, proven, folder: everywhere ? null : root }, () =>
    sessionTable(sessions, session),
  );
  if (left.length > 0) output.say(moreWords(left, found.sessions.length));
  for (const words of writtenWords(cards, runtimes)) output.say(line(words));
  for (const { runtime, text: why } of found.troubles)
    output.say(`${runtime} could not be looked at: ${line(why)}`);
  if (found.sessions.length === 0) output.say(nothing(found.installed, everywhere ? null : root));
  if (sessions.length > 0 && !everywhere) {
    const latest = await latestOf(found.sessions, runtimes);
    const which = latest.length > 1 ? 'one of the latest two' : 'the latest';
    next(
      output,
      ...latest.filter(({ isBusy }) => !isBusy).map((one) => `to go on from ${which}: ${goOnWords(one)}`),
    );
  }
  return exits.ok;
}

/** The newest, but no dead one is left out for a younger one that lives: it is what has to be rescued. */
function shownOf(sessions: readonly SessionCard[], limit: number): readonly SessionCard[] {
  const byNeed = sessions.toSorted((a, b) => Number(b.liveness === 'dead') - Number(a.liveness === 'dead'));
  const shown = new Set(byNeed.slice(0, limit));
  return sessions.filter((card) => shown.has(card));
}

function moreWords(left: readonly SessionCard[], all: number): string {
  const dead = left.filter(({ liveness }) => liveness === 'dead').length;
  const some = dead === 0 ? '' : `, ${dead} of them dead`;
  return `${left.length} more${some}; all of them: --limit ${all}`;
}

/** One sentence for each version that reading is not proven with. */
function writtenWords(sessions: readonly SessionCard[], runtimes: readonly Runtime[]): string[] {
  const counts = new Map<string, number>();
  for (const { runtime, version } of sessions) {
    const proven = runtimes.find(({ name }) => name === runtime)?.provenVersions ?? [];
    const words = unprovenWords({ runtime, version, proven });
    if (words !== null) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(
    ([words, count]) => `${counted(count, 'session')} ${count === 1 ? 'was' : 'were'} ${words}.`,
  );
}

function nothing(installed: readonly string[], folder: string | null): string {
  if (installed.length === 0)
    return `No coding agent has left data here. Looked for: ${runtimeNames.join(', ')}.`;
  const where = folder === null ? '' : ` of ${folder}; --everywhere lists those of other folders`;
  return `No sessions of ${installed.join(', ')}${where}.`;
}

interface EndedSession extends ToldSession {
  /** Null where it was not read for that, or does not say. */
  readonly stopped: Condition['stopped'];
  readonly settled: boolean | null;
}

const stoppedShort: Readonly<Record<NonNullable<Condition['stopped']>, string>> = {
  'usage-limit': 'usage limit',
  'rate-limited': 'rate limit',
  'context-limit': 'context full',
  error: 'error',
  interrupted: 'interrupted',
  ended: 'ended',
};

/** In a column: whether its process lives, and else how its records end. */
function stateOf({ liveness, stopped, settled }: EndedSession): string {
  if (stopped !== null) return stoppedShort[stopped];
  if (liveness !== 'unknown' || settled === null) return liveness;
  return settled ? 'answered' : 'mid-turn';
}

function sessionTable(sessions: readonly EndedSession[], { output }: Session): string {
  if (sessions.length === 0) return '';
  const { paint, width } = output;
  const now = Date.now();
  const rows = sessions.map((card) => [
    card.runtime,
    card.id,
    stateOf(card),
    formatShort(Math.max(0, now - card.updatedAt)),
    card.turns === null ? '' : String(card.turns),
    card.bytes === null ? '' : formatBytes(card.bytes),
    `${parentWords(card)}${pointerWords(card) ?? card.lastMessage ?? card.lastPrompt ?? card.title ?? ''}`,
  ]);
  return table([['RUNTIME', 'SESSION', 'STATE', 'AGE', 'TURNS', 'SIZE', 'LAST MESSAGE'], ...rows], {
    width,
    paint: (cell, row) => (row === 0 ? paint.dim(cell) : cell),
  });
}

function pointerWords({ pointerOnly }: SessionCard): string | null {
  return pointerOnly === null ? null : `pointer only: ${pointerOnly}`;
}

/** An agent that a session started is no session of its own: it is handed over and rescued with that one. */
function parentWords({ parent }: SessionCard): string {
  return parent === null ? '' : `[subagent of ${parent.slice(0, 8)}] `;
}
