/**
 * The command that starts opencode. It is made here and started by others.
 *
 * The prompt always goes by stdin: given as an argument, the program (1.18.33) wraps it in quotes and escapes those within, so
 * the model reads another text; and arguments are seen by every process of the machine. In a terminal it is named by its file.
 *
 * PWD is set with the folder: the program (1.18.33) believes it more than the folder in which it was started, and would bind a new
 * session to the folder of the process that starts it.
 */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, refuseEmpty } from '../spoken.ts';
import { resume } from './resume.ts';

export const unasked =
  'Without a terminal opencode rejects whatever its permissions would have a person asked for. ' +
  'Allow what the work needs in its opencode.json.';

/** Its plan agent is told not to edit; that it may not run anything either, its settings must say. */
export const asking: Asking = {
  args: ['--agent', 'plan'],
  env: { OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny","task":"deny","webfetch":"deny"}' },
  keepsCopy: true,
};

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [] }: LaunchOptions,
): Launch {
  const { args, session } = resume(start);
  const chosen = [...(model === undefined ? [] : ['--model', model]), ...extra];
  const first =
    prompt.kind === 'headless' || prompt.file === null ? [] : ['--prompt', readFirst(prompt.file)];
  return {
    program: program ?? 'opencode',
    args:
      prompt.kind === 'headless'
        ? ['run', '--format', prompt.output === 'events' ? 'json' : 'default', ...args, ...chosen]
        : [...args, ...chosen, ...first],
    // A new version of the program may bring a new form of its data in the middle of a task.
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', PWD: folder },
    cwd: folder,
    stdin: prompt.kind === 'headless' ? refuseEmpty(prompt.text) : null,
    session,
  };
}
