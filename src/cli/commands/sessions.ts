import { worktreeRoot } from '../../compose/locate.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { findSessions } from '../../handoff/sessions.ts';
import { runtimeNames, type RuntimeName, type SessionCard } from '../../ports/runtime.ts';
import { formatBytes } from '../bytes.ts';
import { formatShort } from '../duration.ts';
import { exits } from '../fail.ts';
import { line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { table } from '../table.ts';
import { cap, text } from '../values.ts';

const shownMax = 20;

/** The sessions that coding agents keep for this workspace. Read only, without a store. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const of = text(values, 'of');
  const limit = cap(values, 'limit', 10_000) ?? shownMax;
  const everywhere = values['everywhere'] === true;
  const root = worktreeRoot(process.cwd());
  const found = await findSessions(await loadRuntimes(session.env), {
    limit,
    ...(of === undefined ? {} : { runtime: of as RuntimeName }),
    ...(everywhere ? {} : { folder: root }),
  });
  const { output } = session;
  output.data({ ...found, folder: everywhere ? null : root }, () => sessionTable(found.sessions, session));
  for (const { runtime, text: why } of found.troubles)
    output.say(`${runtime} could not be looked at: ${line(why)}`);
  if (found.sessions.length === 0) output.say(nothing(found.installed, everywhere ? null : root));
  return exits.ok;
}

function nothing(installed: readonly string[], folder: string | null): string {
  if (installed.length === 0)
    return `No coding agent has left data here. Looked for: ${runtimeNames.join(', ')}.`;
  const where = folder === null ? '' : ` of ${folder}; --everywhere lists those of other folders`;
  return `No sessions of ${installed.join(', ')}${where}.`;
}

function sessionTable(sessions: readonly SessionCard[], { output }: Session): string {
  if (sessions.length === 0) return '';
  const { paint, width } = output;
  const now = Date.now();
  const rows = sessions.map((card) => [
    card.runtime,
    card.id,
    card.liveness,
    formatShort(Math.max(0, now - card.updatedAt)),
    card.bytes === null ? '' : formatBytes(card.bytes),
    card.pointerOnly ?? card.lastPrompt ?? card.title ?? '',
  ]);
  return table([['RUNTIME', 'SESSION', 'STATE', 'AGE', 'SIZE', 'LAST PROMPT'], ...rows], {
    width,
    paint: (cell, row) => (row === 0 ? paint.dim(cell) : cell),
  });
}
