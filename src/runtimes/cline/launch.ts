/**
 * The command that starts Cline (3.0.65). It reads a prompt from standard input, where that is a pipe or a file and no socket, and then only
 * for a new session. Words that it is given with a session to go on with it drops in a terminal, and without one it wants them by the Agent
 * Client Protocol alone: both is done by our own command.
 */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, unslashed } from '../spoken.ts';
import { resume } from './resume.ts';

/** Of a session in which it would be started. */
export const inherited = ['CLINE_CONNECTOR_CLI_LAUNCH', 'CLINE_HOOK_AGENT_RESUME'];

/** It would leave a daemon behind, and may fetch a new version of itself in the middle of a task. */
export const settled = { CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1' };

/** Measured with 3.0.65. */
export const unasked =
  'Without a terminal Cline uses its tools unasked in a new session. With one that it goes on with it asks, and is told no: ' +
  'allow them with --arg=--auto-approve=true. There it wants CLINE_API_KEY, CLINE_PROVIDER and CLINE_MODEL, or an account of its makers.';

/** It has no copies, so that nothing is ever asked of one. */
export const asking: Asking = { args: ['--plan'], keepsCopy: true };

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [] }: LaunchOptions,
): Launch {
  const session = resume(start);
  const chosen = [...(model === undefined ? [] : ['--model', model]), ...extra];
  const env = { ...Object.fromEntries(inherited.map((name) => [name, null])), ...settled };
  const own = program ?? 'cline';
  const by = (name: string, args: readonly string[], stdin: string | null): Launch => ({
    program: name,
    args,
    env,
    cwd: folder,
    stdin,
    session,
  });
  const speak = (...more: readonly string[]): readonly string[] => [
    'speak',
    'cline',
    '--session',
    session ?? '',
    ...more,
  ];
  if (prompt.kind === 'headless') {
    const words = unslashed(prompt.text);
    return session === null
      ? // A pipe of the shell: what a program is given by another is a socket.
        by('sh', ['-c', 'cat | exec "$0" "$@"', own, ...chosen], words)
      : by('staffetta', speak('--', ...chosen), words);
  }
  if (session === null)
    return by(own, ['--tui', ...chosen, ...(prompt.file === null ? [] : [readFirst(prompt.file)])], null);
  return prompt.file === null
    ? by(own, ['--id', session, ...chosen], null)
    : by('staffetta', speak('--file', prompt.file, '--', ...chosen), null);
}
