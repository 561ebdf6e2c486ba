/** The command of a program that takes its prompt from standard input where nobody sits, unasked, and in a terminal by an option that names a file. */
import type { Launch, LaunchOptions, Prompt } from '../ports/runtime.ts';
import { readFirst } from './spoken.ts';

export interface PlainWay {
  readonly command: string;
  /** How a session is begun or gone on with. */
  readonly started: { readonly args: readonly string[]; readonly session: string | null };
  readonly output: Readonly<Record<'text' | 'events', readonly string[]>>;
  /** The option for the first words in a terminal. */
  readonly interactive: string;
  /** Variables of a session that it would take for its own. */
  readonly inherited?: readonly string[];
  readonly env?: Launch['env'];
  /** The words as the program takes them for words. */
  readonly spoken: (text: string) => string;
}

export function plainLaunch(
  prompt: Prompt,
  { folder, program, model, extra = [] }: LaunchOptions,
  { command, started, output, interactive, inherited = [], env = {}, spoken }: PlainWay,
): Launch {
  const isHeadless = prompt.kind === 'headless';
  const words = isHeadless
    ? output[prompt.output ?? 'text']
    : prompt.file === null
      ? []
      : [interactive, readFirst(prompt.file)];
  return {
    program: program ?? command,
    args: [...started.args, ...(model === undefined ? [] : ['--model', model]), ...extra, ...words],
    env: { ...Object.fromEntries(inherited.map((name) => [name, null])), ...env },
    cwd: folder,
    stdin: isHeadless ? spoken(prompt.text) : null,
    session: started.session,
  };
}
