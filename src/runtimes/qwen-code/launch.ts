/** The command that starts Qwen Code. The prompt goes by standard input, never by the arguments. */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, refuseEmpty } from '../spoken.ts';
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

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [], env }: LaunchOptions & { readonly env: Env },
): Launch {
  const { args, session } = resume(start);
  return {
    program: program ?? 'qwen',
    args: [...args, ...(model === undefined ? [] : ['--model', model]), ...extra, ...promptArgs(prompt)],
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, null])),
      ...((env['QWEN_HOME'] ?? '') === '' ? {} : { QWEN_HOME: agentHome(env) }),
    },
    cwd: folder,
    stdin: prompt.kind === 'headless' ? wordsOf(prompt.text) : null,
    session,
  };
}

/** Without a terminal it takes its prompt from standard input, unasked, and puts two line ends behind it. */
function promptArgs(prompt: Prompt): string[] {
  if (prompt.kind === 'headless')
    return ['--output-format', prompt.output === 'events' ? 'stream-json' : 'text'];
  return prompt.file === null ? [] : ['--prompt-interactive', readFirst(prompt.file)];
}

/** Words that begin with a slash may be a command of the program. */
function wordsOf(prompt: string): string {
  return refuseEmpty(prompt).trimStart().startsWith('/') ? `Prompt: ${prompt}` : prompt;
}
