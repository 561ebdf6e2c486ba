/**
 * The exact command that continues a session or begins one. Known traits of the program that these avoid:
 * - `codex exec` reads standard input even when it has a prompt, and waits for its end: it always gets one, or none at all.
 * - a prompt among the arguments would be seen by every user of the machine and may be too long: `-` has it read from standard input.
 * - outside of a repository `exec` refuses to start unless told not to look.
 * - a session that another process writes to is refused ("already has an active writer"): ask for its liveness first.
 * - the interactive program takes a prompt as an argument only: it is given the path of a file and nothing of its content.
 */
import { StaffettaError } from '../../core/error.ts';
import { isThreadId } from './schema.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A file or a text that becomes standard input; `terminal` where the program talks with a person. */
  readonly stdin: { readonly file: string } | { readonly text: string } | 'terminal';
}

export interface Start {
  readonly program: string;
  readonly home: string;
  readonly folder: string;
  /** The session to continue, also one that was written; without one a new session begins. */
  readonly session?: string;
  readonly prompt: { readonly file: string } | { readonly text: string };
}

/** Without a person: one turn, and events as lines of JSON. */
export function resumeCommand({ program, home, folder, session, prompt }: Start): Command {
  const resumed = session === undefined ? [] : ['resume', threadOf(session)];
  return {
    program,
    args: ['exec', ...resumed, '--json', '--skip-git-repo-check', '-'],
    env: { CODEX_HOME: home },
    cwd: folder,
    stdin: prompt,
  };
}

export interface Talk {
  readonly program: string;
  readonly home: string;
  readonly folder: string;
  readonly session?: string;
  /** A briefing that the agent is asked to read first. */
  readonly briefing?: string;
}

/** With a person at the terminal. */
export function talkCommand({ program, home, folder, session, briefing }: Talk): Command {
  const resumed = session === undefined ? [] : ['resume', threadOf(session)];
  const prompt =
    briefing === undefined ? [] : [`Read ${JSON.stringify(briefing)} first, then go on with what it says.`];
  return {
    program,
    args: [...resumed, ...prompt],
    env: { CODEX_HOME: home },
    cwd: folder,
    stdin: 'terminal',
  };
}

/** Names are allowed there too, and one that begins with `-` would be an option. */
function threadOf(session: string): string {
  if (isThreadId(session)) return session;
  throw new StaffettaError(
    'invalid-input',
    `${JSON.stringify(session)} is not the id of a session of Codex.`,
    {
      hint: 'Give the id as it is listed.',
    },
  );
}
