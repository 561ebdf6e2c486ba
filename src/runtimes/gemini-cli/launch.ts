/** The command that starts Gemini CLI. The prompt goes by standard input, never by the arguments. */
import { StaffettaError } from '../../core/base/error.ts';
import type { Asking, Launch, LaunchOptions, Prompt, Start } from '../../ports/runtime.ts';
import { plainLaunch } from '../plain-launch.ts';
import { refuseEmpty } from '../spoken.ts';
import { resume } from './resume.ts';
import { guard, needsGuard } from './read/user-text.ts';

export function launch(start: Start, prompt: Prompt, options: LaunchOptions): Launch {
  return plainLaunch(prompt, options, {
    command: 'gemini',
    started: resume(start),
    output: { text: ['--output-format', 'text'], events: ['--output-format', 'stream-json'] },
    interactive: '--prompt-interactive',
    spoken,
  });
}

/** Measured with 0.61.0: its model is not offered a shell, nor tools that write, unless an approval mode allows them. */
export const unasked =
  'Without a terminal Gemini CLI leaves out the tools that would have to be approved: its shell, and those that write. ' +
  'Give it an approval mode, e.g. --arg=--approval-mode=auto_edit, or allow them in its policy.';

/** Its plan mode has no tool that writes but for plans. */
export const asking: Asking = { args: ['--approval-mode=plan'], keepsCopy: true };

/** The program reads 8 MB from standard input and cuts off the rest without a word to the model. */
const promptBytesMax = 8 * 1024 * 1024;

/** A text that begins with `/` would be taken for a command of the program. */
function spoken(prompt: string): string {
  const text = needsGuard(refuseEmpty(prompt)) ? guard + prompt : prompt;
  const bytes = Buffer.byteLength(text);
  if (bytes <= promptBytesMax) return text;
  throw new StaffettaError(
    'too-large',
    `The prompt has ${bytes} bytes; Gemini CLI reads ${promptBytesMax}.`,
    {
      hint: 'Shorten the briefing, or put the long parts in a file and name it.',
    },
  );
}
