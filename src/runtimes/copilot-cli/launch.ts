/** The command that starts Copilot CLI. The prompt goes by standard input, never by the arguments. */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, refuseEmpty } from '../spoken.ts';
import { agentHome, type Env } from './locate.ts';
import { resume } from './resume.ts';

/** Inside a session of its own it would take these for its own. */
export const inherited = ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_LOADER_PID'];

/** Measured with 1.0.102: its shell, the tools that write, and pages are denied unless options allow them. */
export const unasked =
  'Without a terminal Copilot CLI denies what would have to be approved: its shell, and the tools that write. ' +
  'Allow what the work needs, e.g. --arg=--allow-tool=write --arg=--allow-tool=shell.';

/** Of its tools those that only read. */
export const looking = '--available-tools=view,grep,glob';
export const asking: Asking = { args: [looking], keepsCopy: true };

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [], env }: LaunchOptions & { readonly env: Env },
): Launch {
  const { args, session } = resume(start);
  return {
    program: program ?? 'copilot',
    args: [
      // A session would else go on in the folder that it was made in.
      ...(start.kind === 'new' ? args : ['-C', folder, ...args]),
      ...(model === undefined ? [] : ['--model', model]),
      ...extra,
      ...promptArgs(prompt),
    ],
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, null])),
      ...((env['COPILOT_HOME'] ?? '') === '' ? {} : { COPILOT_HOME: agentHome(env) }),
    },
    cwd: folder,
    stdin: prompt.kind === 'headless' ? wordsOf(prompt.text) : null,
    session,
  };
}

/** Without a terminal it takes its prompt from standard input, unasked. */
function promptArgs(prompt: Prompt): string[] {
  if (prompt.kind === 'headless')
    return prompt.output === 'events'
      ? ['--output-format', 'json', '--stream', 'off']
      : ['--output-format', 'text'];
  return prompt.file === null ? [] : ['--interactive', readFirst(prompt.file)];
}

/** Words that begin with a slash may be a command of the program. */
function wordsOf(prompt: string): string {
  return refuseEmpty(prompt).trimStart().startsWith('/') ? `Prompt: ${prompt}` : prompt;
}
