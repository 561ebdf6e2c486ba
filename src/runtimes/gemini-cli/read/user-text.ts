/**
 * What stands in a `user` message: what the person said, and what the program put in front of it or behind it.
 *
 *   <hook_context>…</hook_context>       from hooks. SessionStart's stands in the same part, before the prompt; the others have a
 *                                        part of their own. The program escapes the brackets inside, so the first end tag is the end
 *   <session_context>, <loaded_context>  date, folder, memory files, instructions of tool servers; a part of their own
 *   <system_note>                        which agents were named with @; a part of its own
 *   files and resources named with @     see `pulled-in.ts`
 *   displayContent                       what the person typed, where the program added files to it. A session that was resumed has
 *                                        the same message without it
 *
 * The program leaves out messages that begin with `/`, `?` or one of its own tags when it loads a session. A session that we
 * write therefore puts `guard` before such a text, as a part of its own; what follows a guard is the person's, whatever it is. A
 * prompt by standard input is one part, and has the guard at its beginning.
 */
import { filled } from '../../../core/base/defined.ts';
import { blockPattern, partBlocks } from '../../program-blocks.ts';
import { withoutPulledIn } from '../pulled-in.ts';
import type { Fields } from '../../../core/transcript/loose-json.ts';
import { own, textIn } from '../../../core/transcript/loose-json.ts';
import { contentParts } from '../../content-parts.ts';

export const guard = 'The user said:\n';

/** What the program lets the model say after the summary that took the place of the history. */
export const thanks = 'Got it. Thanks for the additional context!';

/** The first 32 hex digits of the SHA-256 of `environment-context`: the id of the context message in every session. */
const contextId = 'd04923d38bb0f6017037e74183378ef4';

/** What the program says in the user's place where the model stopped in the middle. */
const goOn = 'System: Please continue.';

export interface Said {
  readonly user: string;
  readonly context: string;
  /** It stood behind a guard: nothing in it is the program's. */
  readonly guarded?: true;
  /** The content of files was told apart by lines that a person can type as well. */
  readonly byLines?: true;
}

export function saidIn(message: Fields): Said {
  const texts = textsOf(own(message, 'content'));
  if (textIn(message, 'id') === contextId) return { user: '', context: texts.join('') };
  if (texts[0] === guard) return guarded(texts[1] ?? '', texts.slice(2));
  const rest = texts[0]?.startsWith(guard) === true ? texts[0].slice(guard.length) : '';
  if (rest !== '' && needsGuard(rest)) return guarded(rest, texts.slice(1));
  if (texts.length === 1 && texts[0] === goOn) return { user: '', context: goOn };
  const display = textsOf(own(message, 'displayContent'));
  if (display.length === 0) return split(texts);
  const shown = split(display);
  const added = split(texts.filter((text) => !display.includes(text)));
  return { ...shown, context: joined([shown.context, added.context, added.user]) };
}

/** The program reads files that are named behind a guard, too. */
function guarded(words: string, others: readonly string[]): Said {
  const { user, context } = split(others);
  return { user: `${words}${user}`, context, guarded: true };
}

/** Whether the program, or our reader, would take this text for something else than what a person said. */
export function needsGuard(text: string): boolean {
  const start = text.trimStart();
  return (
    start === '' ||
    text === goOn ||
    /^[/?]|^<(session_context|hook_context|state_snapshot)>/.test(start) ||
    text.startsWith(guard) ||
    split([text]).user !== text
  );
}

function split(all: readonly string[]): Said {
  const { words: texts, pulledIn, isMixed } = withoutPulledIn(all);
  const user: string[] = [];
  const context: string[] = [];
  for (const [i, text] of texts.entries()) {
    if (isContext(text)) {
      context.push(text.trim());
      continue;
    }
    const { blocks, words } = partBlocks(i === 0 ? withoutHooks(text, context) : text, contextBlocks);
    context.push(...blocks);
    user.push(blocks.length > 0 && i < texts.length - 1 ? `${words}\n` : words);
  }
  return {
    user: user.join(''),
    context: joined([...context, ...pulledIn]),
    ...filled({ byLines: isMixed }),
  };
}

const contextTags = ['session_context', 'hook_context', 'loaded_context', 'system_note'];
const contextBlocks = blockPattern(contextTags);

function isContext(text: string): boolean {
  const trimmed = text.trim();
  return contextTags.some((tag) => {
    if (!trimmed.startsWith(`<${tag}>`)) return false;
    const end = trimmed.indexOf(`</${tag}>`);
    return end === trimmed.length - tag.length - 3;
  });
}

function withoutHooks(text: string, context: string[]): string {
  const end = text.startsWith('<hook_context>') ? text.indexOf('</hook_context>\n\n') : -1;
  if (end === -1) return text;
  const after = end + '</hook_context>'.length;
  context.push(text.slice(0, after));
  return text.slice(after + 2);
}

function textsOf(content: unknown): string[] {
  return contentParts(content).flatMap((part) => {
    const text = own(part, 'thought') === true ? null : textIn(part, 'text');
    return text === null || text === '' ? [] : [text];
  });
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}
