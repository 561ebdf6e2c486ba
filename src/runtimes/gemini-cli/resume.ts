/**
 * Which session Gemini CLI goes on with, and what becomes of it.
 *
 * Always `--session-file`, never `--resume`: with 0.61.0, `--resume` leaves a second file with the id of the session and only a
 * header in it, and at the next start the cleanup of old sessions, which is on unless it was turned off, takes it for an empty
 * session and deletes every file of that id. `--session-file` copies the history into a new session, so what it was given is
 * safe, wherever it lies, and a process that holds it is not disturbed. The *new* session has such a second file as well and can be
 * lost in the same way: see `retentionRisk`, and capture a session when its run has ended.
 *
 * A session with output of a SessionStart hook should be written anew (`write`) and not given as it is: the program put that output
 * before the user's words, and leaves the whole message out when it loads the session.
 */
import { resolve } from 'node:path';
import type { Start } from '../../ports/runtime.ts';
import { plainJson } from '../settings-file.ts';
import { refuseAlive, refusal } from '../spoken.ts';
import { readSmall } from './quiet-file.ts';
import { fieldsOf, own } from '../../core/transcript/loose-json.ts';

export interface Resumed {
  readonly args: readonly string[];
  /** The program chooses the id of a copy, and names it in the first line of its events. */
  readonly session: string | null;
}

export function resume(start: Start): Resumed {
  if (start.kind === 'new') {
    if (/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(start.id))
      return { args: ['--session-id', start.id], session: start.id };
    throw refusal(`"${start.id}" cannot be the id of a session.`, 'Give a new UUID.');
  }
  if (start.fork !== true) refuseAlive(start.session);
  return { args: ['--session-file', resolve(start.session.path)], session: null };
}

/** Why a session that was continued may vanish at the next start of the program; null where its cleanup is off. */
export function retentionRisk(home: string): string | null {
  const general = inside(settingsOf(home), 'general');
  const retention = inside(general, 'sessionRetention');
  if (retention !== null && own(retention, 'enabled') === false) return null;
  return (
    'Gemini CLI deletes a session that was continued when it is started again. ' +
    'Set general.sessionRetention.enabled to false in its settings.json, or capture the session before the next start.'
  );
}

type Settings = ReturnType<typeof fieldsOf>;

function inside(settings: Settings, name: string): Settings {
  return settings === null ? null : fieldsOf(own(settings, name));
}

/** The program allows comments in its settings; what cannot be read says nothing, and the default is the risk. */
function settingsOf(home: string): Settings {
  const text = readSmall(resolve(home, 'settings.json'), 1024 * 1024);
  if (text === null) return null;
  try {
    return fieldsOf(JSON.parse(plainJson(text)));
  } catch {
    return null;
  }
}
