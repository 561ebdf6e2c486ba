/**
 * The command that starts Claude Code. Nothing is started here.
 *
 * A prompt goes to standard input, never into the arguments, where every process of the machine could read it. A terminal cannot be
 * given a prompt that way: there the argument names a file that holds it.
 * What the program does wrong, and how it is avoided:
 *   - It puts the contents of every file into a prompt that stands there with an @ before its path. What a prompt tells of another
 *     session would choose the files: mentions are switched off. In a terminal a person may want them.
 *   - Inside a session of its own it takes over that session's variables: they are taken out of the environment.
 */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, unslashed } from '../spoken.ts';
import { defaultHome, agentHome, type Env } from './locate.ts';
import { resume } from './resume.ts';

export const inherited = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PID',
];

export const unasked =
  'Without a terminal Claude Code denies what its permission rules do not allow: it can ask nobody. ' +
  'Allow what the work needs in its settings, or give it a mode, e.g. --arg=--permission-mode=acceptEdits.';

/** Its tools that only read, and no MCP servers. Not no tools at all: the history that it goes on from has calls. */
export const asking: Asking = {
  args: ['--tools=Read,Grep,Glob', '--strict-mcp-config', '--no-session-persistence'],
  keepsCopy: false,
};

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [], env }: LaunchOptions & { readonly env: Env },
): Launch {
  const home = agentHome(env);
  const headless = prompt.kind === 'headless';
  const { args, session } = resume(start);
  return {
    program: program ?? 'claude',
    args: [
      // Some options take all words up to the next option: the prompt must not follow them.
      ...extra,
      ...(headless ? outputArgs(prompt.output ?? 'text') : []),
      ...args,
      ...(model === undefined ? [] : ['--model', model]),
      ...(headless || prompt.file === null ? [] : [readFirst(prompt.file)]),
    ],
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, null])),
      ...(headless ? { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' } : {}),
      ...(home === defaultHome(env) ? {} : { CLAUDE_CONFIG_DIR: home }),
    },
    cwd: folder,
    stdin: headless ? unslashed(prompt.text) : null,
    session,
  };
}

function outputArgs(output: 'text' | 'events'): string[] {
  // The program refuses to stream without being asked to say more.
  return output === 'text'
    ? ['-p', '--output-format', 'text']
    : ['-p', '--output-format', 'stream-json', '--verbose'];
}
