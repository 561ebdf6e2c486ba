/**
 * The command that starts Codex. Known traits of the program that it avoids:
 * - `codex exec` reads standard input even when it has a prompt, and waits for its end: it always gets one.
 * - a prompt among the arguments would be seen by every user of the machine and may be too long: `-` has it read from standard input.
 * - outside of a repository `exec` refuses to start unless told not to look.
 * - the interactive program takes a prompt as an argument only: it is given the path of a file and nothing of its content.
 */
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { readFirst, refuseEmpty } from '../spoken.ts';
import { resume } from './resume.ts';

export const unasked =
  'Without a terminal Codex asks nobody: what its sandbox and its approval policy do not allow fails. ' +
  'Set them in its config.toml, or give them, e.g. --arg=--sandbox=workspace-write.';

export const asking: Asking = { args: ['--sandbox=read-only', '--ephemeral'], keepsCopy: false };

export function launch(
  start: Start,
  prompt: Prompt,
  { folder, program, model, extra = [], home }: LaunchOptions & { readonly home: string },
): Launch {
  const { args: resumed, session } = resume(start);
  const chosen = model === undefined ? [] : ['--model', model];
  return {
    program: program ?? 'codex',
    args:
      prompt.kind === 'headless'
        ? [
            'exec',
            // `resume` and `fork` do not know all of what `exec` does.
            ...extra,
            ...resumed,
            ...(prompt.output === 'events' ? ['--json'] : []),
            ...chosen,
            '--skip-git-repo-check',
            '-',
          ]
        : [...extra, ...resumed, ...chosen, ...(prompt.file === null ? [] : [readFirst(prompt.file)])],
    env: { CODEX_HOME: home },
    cwd: folder,
    stdin: prompt.kind === 'headless' ? refuseEmpty(prompt.text) : null,
    session,
  };
}
