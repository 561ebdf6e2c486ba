/**
 * The command that goes on with a session of Claude Code, or starts one. Nothing is started here.
 *
 * A prompt goes to standard input, never into the arguments, where every process of the machine could read it. A terminal cannot be
 * given a prompt that way: there the argument names a file that holds it.
 * What the program does wrong, and how it is avoided:
 *   - It lets two processes write one session, and the conversation breaks into branches: a session that is alive is refused.
 *   - It puts the contents of every file into a prompt that stands there with an @ before its path. What a prompt tells of another
 *     session would choose the files: mentions are switched off. In a terminal a person may want them.
 *   - Inside a session of its own it takes over that session's variables: they are taken out of the environment.
 */
import { isAbsolute } from 'node:path';
import { StaffettaError } from '../../core/error.ts';
import type { SessionCard, SessionPlace } from '../../ports/runtime.ts';
import { defaultHome, homeOf, type Env } from './locate.ts';
import { isSessionId } from './write.ts';

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** To be set over the environment of the caller; null takes a variable out. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd: string;
  /** Exactly these words, and then the end; null leaves the terminal to the program. */
  readonly stdin: string | null;
}

export type Start =
  /** Goes on with a session; `fork` leaves it as it is and goes on in a copy. */
  | {
      readonly session: SessionPlace & Partial<Pick<SessionCard, 'liveness' | 'pid' | 'parent'>>;
      readonly fork?: boolean;
    }
  /** A new session under a given id. */
  | { readonly newSession: string };

export type Prompt =
  /** Without a terminal: the program works until it has answered, and ends. */
  | { readonly text: string; readonly output?: 'text' | 'json' | 'stream-json' }
  /** In a terminal, with a file that holds the prompt. */
  | { readonly file: string }
  /** In a terminal, and a person types. */
  | null;

export interface LaunchOptions {
  readonly env: Env;
  readonly folder: string;
  /** `claude` where it is not known. */
  readonly program?: string | null;
}

const inherited = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PID',
];

export function launch(start: Start, prompt: Prompt, options: LaunchOptions): Launch {
  const home = homeOf(options.env);
  const isDefault = home === defaultHome(options.env);
  return {
    program: options.program ?? 'claude',
    args: [...argsOfPrompt(prompt), ...argsOfStart(start), ...lastArgs(prompt)],
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, null])),
      ...(prompt !== null && 'text' in prompt ? { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' } : {}),
      ...(isDefault ? {} : { CLAUDE_CONFIG_DIR: home }),
    },
    cwd: options.folder,
    stdin: prompt !== null && 'text' in prompt ? wordsOf(prompt.text) : null,
  };
}

function argsOfPrompt(prompt: Prompt): string[] {
  if (prompt === null || 'file' in prompt) return [];
  const output = prompt.output ?? 'text';
  // The program refuses to stream without being asked to say more.
  return ['-p', '--output-format', output, ...(output === 'stream-json' ? ['--verbose'] : [])];
}

function argsOfStart(start: Start): string[] {
  if ('newSession' in start) {
    if (isSessionId(start.newSession)) return ['--session-id', start.newSession];
    throw refused(
      `The id ${start.newSession} is no UUID, as Claude Code wants.`,
      'Give a new UUID in lower case.',
    );
  }
  const { session, fork = false } = start;
  if ((session.parent ?? null) !== null)
    throw refused(
      `The session ${session.id} is an agent's that another session started; Claude Code cannot go on with it alone.`,
      `Go on with ${session.parent}, or write its history as a new session.`,
    );
  if (session.liveness === 'alive' && !fork)
    throw new StaffettaError(
      'held',
      `Process ${session.pid ?? 'unknown'} still holds the session ${session.id}.`,
      {
        hint: 'Let it end first, or go on in a copy (fork).',
      },
    );
  const name = isSessionId(session.id) ? session.id : session.path;
  return ['--resume', name, ...(fork ? ['--fork-session'] : [])];
}

function lastArgs(prompt: Prompt): string[] {
  if (prompt === null || !('file' in prompt)) return [];
  if (!isAbsolute(prompt.file))
    throw refused(`The file ${prompt.file} is no absolute path.`, 'Give the whole path of the file.');
  return [`Read the file ${prompt.file} and go on from what it says.`];
}

/** Words that begin with a slash would be taken for a command of the program. */
function wordsOf(prompt: string): string {
  if (prompt.trim() === '') throw refused('The prompt is empty.', 'Say what to do next.');
  return prompt.trimStart().startsWith('/') ? `Prompt: ${prompt}` : prompt;
}

function refused(message: string, hint: string): StaffettaError {
  return new StaffettaError('invalid-input', message, { hint });
}
