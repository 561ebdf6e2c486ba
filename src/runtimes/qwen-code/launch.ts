/** The command that starts Qwen Code. The prompt goes by standard input, never by the arguments. */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { plainLaunch } from '../plain-launch.ts';
import { unslashed } from '../spoken.ts';
import { agentHome, type Env } from './locate.ts';
import { resume } from './resume.ts';

/** Inside a session of its own it would take these for its own. */
export const inherited = ['QWEN_CODE', 'QWEN_CODE_SESSION_ID', 'QWEN_CODE_PROMPT_ID', 'QWEN_CODE_AGENT_ID'];

/** Measured with 0.24.4: its shell and the tools that write are declined unless an approval mode allows them. */
export const unasked =
  'Without a terminal Qwen Code declines what would have to be approved: its shell, and the tools that write. ' +
  'Give it an approval mode, e.g. --arg=--approval-mode=auto-edit, or allow what the work needs in its settings.';

/** Its plan mode declines what would change anything. */
export const asking: Asking = { args: ['--approval-mode=plan'], keepsCopy: true };

/** Where nobody sits it takes its prompt from standard input, unasked, and puts two line ends behind it. */
export function launch(
  start: Start,
  prompt: Prompt,
  { env, ...options }: LaunchOptions & { readonly env: Env },
): Launch {
  return plainLaunch(prompt, options, {
    command: 'qwen',
    started: resume(start),
    output: { text: ['--output-format', 'text'], events: ['--output-format', 'stream-json'] },
    interactive: '--prompt-interactive',
    inherited,
    env: (env['QWEN_HOME'] ?? '') === '' ? {} : { QWEN_HOME: agentHome(env) },
    spoken: unslashed,
  });
}
