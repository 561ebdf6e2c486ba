/**
 * The commands that continue a session or begin one. They are made here and started by others.
 *
 * The prompt always goes by stdin: given as an argument, the program (1.18.33) wraps it in quotes and escapes those within, so
 * the model reads another text; and arguments are seen by every process of the machine.
 *
 * PWD is set with the folder: the program (1.18.33) believes it more than the folder in which it was started, and would bind a new
 * session to the folder of whoever starts it.
 *
 * Two processes may write to one session, and the program keeps nobody out: the first then never gives its last answer.
 * Whoever starts these commands must hold the task.
 */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** To be set besides what is there. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
}

export interface LaunchOptions {
  /** The program, where it is not found by its name. */
  readonly program?: string;
  readonly folder: string;
  readonly prompt: string;
  /** `provider/model`; without it a session goes on with the model that it had. */
  readonly model?: string;
}

/** Appends to this session, with its whole history. */
export function continueSession(session: string, options: LaunchOptions): Launch {
  return launch(['--session', session], options);
}

/** A copy of the session that goes on; the session itself stays as it is. */
export function forkSession(session: string, options: LaunchOptions): Launch {
  return launch(['--session', session, '--fork'], options);
}

/** A new session, with the prompt (a briefing) as its first. */
export function beginSession(options: LaunchOptions): Launch {
  return launch([], options);
}

function launch(
  which: readonly string[],
  { program = 'opencode', folder, prompt, model }: LaunchOptions,
): Launch {
  return {
    program,
    args: ['run', '--format', 'json', ...which, ...(model === undefined ? [] : ['--model', model])],
    // A new version of the program may bring a new form of its data in the middle of a task.
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', PWD: folder },
    cwd: folder,
    stdin: prompt,
  };
}
