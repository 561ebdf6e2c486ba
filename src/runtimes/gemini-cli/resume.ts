/**
 * How a session is continued, or a new one begun. The prompt goes by standard input, never by the arguments.
 *
 * Always `--session-file`, never `--resume`: with 0.61.0, `--resume` leaves a second file with the id of the session and only a
 * header in it, and at the next start the cleanup of old sessions, which is on unless it was turned off, takes it for an empty
 * session and deletes every file of that id. `--session-file` copies the history into a new session, so what it was given is
 * safe, wherever it lies. The *new* session has such a second file as well and can be lost in the same way: see
 * `retentionRisk`, and capture a session when its run has ended.
 *
 * A session with output of a SessionStart hook should be written anew (`write`) and not given as it is: the program put that output
 * before the user's words, and leaves the whole message out when it loads the session.
 */
import { resolve } from 'node:path';
import { StaffettaError } from '../../core/error.ts';
import { readSmall } from './quiet-file.ts';
import { fieldsOf, own } from './schema.ts';
import { guard, needsGuard } from './user-text.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside the environment that is there. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Null where a person sits at the terminal. */
  readonly stdin: string | null;
}

interface Run {
  readonly program: string;
  readonly folder: string;
  /** Null opens the program for a person; the rest is theirs to say. */
  readonly prompt: string | null;
}

/** A new session that begins with a briefing; its id is chosen by us. */
export function startCommand(run: Run & { readonly session: string }): Command {
  return command(run, ['--session-id', run.session]);
}

/**
 * All of a history, from a session file of the program or one that was written. The program chooses the id of the new session
 * and names it in the first line of its output, as `session_id`.
 */
export function continueCommand(run: Run & { readonly file: string }): Command {
  return command(run, ['--session-file', resolve(run.file)]);
}

function command({ program, folder, prompt }: Run, args: readonly string[]): Command {
  const headless = prompt === null ? [] : ['--output-format', 'stream-json'];
  return {
    program,
    args: [...args, ...headless],
    env: {},
    cwd: folder,
    stdin: prompt === null ? null : spoken(prompt),
  };
}

/** The program reads 8 MB from standard input and cuts off the rest without a word to the model. */
const promptBytesMax = 8 * 1024 * 1024;

/** A text that begins with `/` would be taken for a command of the program. */
function spoken(prompt: string): string {
  const text = needsGuard(prompt) ? guard + prompt : prompt;
  const bytes = Buffer.byteLength(text);
  if (bytes <= promptBytesMax) return text;
  throw new StaffettaError('too-large', `The prompt has ${bytes} bytes; Gemini CLI reads ${promptBytesMax}`, {
    hint: 'Shorten the briefing, or put the long parts in a file and name it.',
  });
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
    return fieldsOf(JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')));
  } catch {
    return null;
  }
}
