/** What every edge does before a session is handed over: find it, see that it may be, and draft what it says of its task. */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { joinCommand } from '../core/base/command-line.ts';
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import type { Trigger } from '../core/journal/event.ts';
import { isEmergency } from '../core/packet/emergency.ts';
import type { Context } from '../handoff/record/context.ts';
import { lookOrPoint } from '../handoff/sealing/pointer.ts';
import { searchedWords } from '../handoff/sealing/searched-words.ts';
import { sessionDraft, type SessionDraft } from '../handoff/sessions/draft-session.ts';
import { findSession, unreadable } from '../handoff/sessions/find-session.ts';
import { isBusy, triggerOf, type SessionLook } from '../handoff/sessions/session-look.ts';
import type { Runtime, SessionCard } from '../ports/runtime.ts';

export interface SessionToHandOver {
  readonly look: SessionLook;
  /** The folder that it worked in, if that is gone and this one is taken for it. */
  readonly movedFrom: string | null;
}

/** `given` names a session, or is `latest`. One that worked elsewhere is refused: its packet would tell of the wrong files. */
export async function lookForHandoff(
  context: Context,
  runtimes: readonly Runtime[],
  { given, folder }: { readonly given: string; readonly folder: string },
): Promise<SessionToHandOver> {
  const found = await findSession(runtimes, { given, folder, pointers: true });
  const movedFrom = movedFolder(found.card, folder);
  return { look: await lookOrPoint(context, found, runtimes), movedFrom };
}

/** A folder that is gone was moved, or is of another machine. */
function movedFolder({ folder, id, runtime }: SessionCard, root: string): string | null {
  if (folder === null) return null;
  const [there, here] = [folder, root].map((path) => (existsSync(path) ? realpathSync(path) : undefined));
  if (there === undefined || here === undefined) return folder === root ? null : folder;
  if (isWithin(here, there) || isWithin(there, here)) return null;
  throw new StaffettaError(
    'workspace-moved',
    `The session ${id} worked in ${sanitizeLine(folder)}, and this is ${sanitizeLine(root)}: its packet would tell of the wrong files.`,
    {
      details: { session: id, runtime, folder, root },
      hint: `Go there first: ${joinCommand(['cd', folder])} && staffetta handoff --from ${runtime}:${id} …`,
    },
  );
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

export function triggerFor({ card, condition }: SessionLook, asked: Trigger | undefined): Trigger {
  return asked ?? triggerOf(card, condition) ?? 'planned';
}

/** Only in an emergency a session goes out that cannot be read, or that is at work. */
export function refuseUnfit(look: SessionLook, trigger: Trigger): void {
  if (isEmergency(trigger)) return;
  if (look.pointer !== undefined) throw unreadable(look, look.pointer);
  if (trigger === 'user' || !isBusy(look, Date.now())) return;
  const { card, condition } = look;
  const doing =
    condition.turn === 'tool'
      ? `waits for ${condition.calls.map(({ tool }) => tool).join(', ')}`
      : 'works on an answer';
  throw new StaffettaError(
    'session-busy',
    `The session ${card.id} is in the middle of a turn: it ${sanitizeLine(doing)}.`,
    {
      details: { runtime: card.runtime, session: card.id, pid: card.pid },
      hint: 'Wait until it has answered. To take it as it is: --trigger user. If it hangs: --trigger timeout.',
    },
  );
}

export interface DraftedSession extends SessionDraft {
  /** With its words searched for secrets. */
  readonly look: SessionLook;
}

/** Whatever is shown of a session is searched first, also where it has a task. */
export async function draftSession(context: Context, look: SessionLook): Promise<DraftedSession> {
  const { bound: _bound, ...unbound } = look;
  const searched = await searchedWords(context, unbound);
  return {
    ...sessionDraft(searched.work, searched),
    look: { ...look, ...defined({ seen: searched.seen }), work: searched.work },
  };
}
