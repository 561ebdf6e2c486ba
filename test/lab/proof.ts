/**
 * Holds what a model was told to what it should have been told: by role, in order, each call with its own result. What programs add
 * of their own in the user's name or as system text is passed over, and so are the words that a program puts into the agent's mouth
 * where a session broke off and two prompts would follow each other; nothing else is.
 */
import type { RuntimeName } from '../../src/ports/runtime.ts';
import type { Said } from './model/dialect.ts';
import { shells } from './model/shell.ts';

export type Wanted =
  | { readonly user: string }
  | { readonly agent: string }
  /** A call of the program's own shell tool with exactly this command. */
  | { readonly shell: string }
  /** The result of the call before it; these words stand in it. */
  | { readonly result: string };

const fillers: Partial<Readonly<Record<RuntimeName, string>>> = {
  'claude-code': 'No response requested.',
  'gemini-cli': '[The previous response was interrupted before it completed.]',
};

/** What a program puts behind a prompt that it reads from standard input. */
const endings: Partial<Readonly<Record<RuntimeName, string>>> = { 'qwen-code': '\n\n' };

/** What it leaves out at the end of one. */
const trimmed: ReadonlySet<RuntimeName> = new Set(['cline', 'copilot-cli']);

/** What it puts before one. */
const openings: Partial<Readonly<Record<RuntimeName, RegExp>>> = {
  'copilot-cli': /^<current_datetime>[^<]*<\/current_datetime>\n\n/,
};

/** Null where the model was told this; else the first difference, in words. */
export function difference(
  told: readonly Said[],
  wanted: readonly Wanted[],
  runtime: RuntimeName,
): string | null {
  const words = wanted.flatMap((each) => ('user' in each ? [each.user] : []));
  const prompts = new Set(words.flatMap((each) => formsOf(each, runtime)));
  const plain = told.map((said) =>
    said.by === 'user' ? { ...said, text: said.text.replace(openings[runtime] ?? '', '') } : said,
  );
  const heard = plain.filter((said) => {
    if (said.by === 'user') return prompts.has(said.text);
    return said.by === 'agent' ? said.text !== fillers[runtime] : said.by !== 'system';
  });
  let call: string | null = null;
  for (const [index, each] of wanted.entries()) {
    const said = heard[index];
    const place = `at ${index + 1} of ${wanted.length}`;
    if (said === undefined) return `${place} nothing, and not ${JSON.stringify(each)}`;
    if (!fits(said, each, runtime))
      return `${place} ${JSON.stringify(said)}, and not ${JSON.stringify(each)}`;
    if (said.by === 'result' && said.id !== call)
      return `${place} a result that is not of the call before it`;
    call = said.by === 'call' ? said.id : null;
  }
  const more = heard[wanted.length];
  return more === undefined ? null : `and then ${JSON.stringify(more)}, which nobody said`;
}

/** A prompt, and what the program makes of it. */
function formsOf(prompt: string, runtime: RuntimeName): string[] {
  return [prompt, trimmed.has(runtime) ? prompt.trimEnd() : prompt + (endings[runtime] ?? '')];
}

function fits(said: Said, wanted: Wanted, runtime: RuntimeName): boolean {
  if ('user' in wanted) return said.by === 'user' && formsOf(wanted.user, runtime).includes(said.text);
  if ('agent' in wanted) return said.by === 'agent' && said.text === wanted.agent;
  if ('result' in wanted) return said.by === 'result' && said.text.includes(wanted.result);
  const shell = shells[runtime];
  return said.by === 'call' && said.tool === shell.tool && shell.command(said.args) === wanted.shell;
}
