/**
 * Who a message is from. Codex stores what it injects (environment, permissions, skills, hook output) with the same roles as
 * what a person typed. Since 0.16x each part has a kind, of which those that begin with `user.` are the person's; before, and in
 * sessions that were written from outside, only the text tells.
 */
import { blockPattern, partBlocks } from '../../program-blocks.ts';
import { fieldsIn, fieldsOf, listIn, textIn, textsIn, type Fields } from './schema.ts';

export interface Said {
  readonly source: 'user' | 'agent' | 'system';
  readonly text: string;
  readonly kind: string | null;
  /** Parts that are no text, by kind. */
  readonly other: readonly string[];
}

export const summaryKind = 'compaction.summary';
export const abortedKind = 'generic.turn_aborted';

/** What was injected before parts had kinds: blocks in these tags. */
const injected = blockPattern([
  'environment_context',
  'user_instructions',
  'permissions instructions',
  'skills_instructions',
  'skill',
  'turn_aborted',
  'user_shell_command',
  'subagent_notification',
  'collaboration_mode',
  'model_switch',
  'personality_spec',
  'hook_prompt',
  'system-reminder',
]);
const agentsFile = '# AGENTS.md instructions for ';
const agentsEnd = '</INSTRUCTIONS>';
/** An editor puts this before what was asked in it. What is selected there may hold the line that ends it: the last one counts. */
const fromEditor =
  /^\s*# (?:Context from my IDE setup|Files mentioned by the user):\n[\s\S]*\n## My request for Codex:[^\S\n]*\n/;

/** A message as what was said by whom: one, unless a person's words and injected ones share it. */
export function saidIn(message: Fields): readonly Said[] {
  const role = textIn(message, 'role');
  const parts = partsOf(message);
  if (role === 'assistant') return [joined('agent', parts)];
  if (role !== 'user') return [joined('system', parts)];
  const [rest, users] = parted(parts);
  const said: Said[] = [];
  if (rest.length > 0) said.push(joined('system', rest));
  if (users.length > 0) said.push(joined('user', users));
  return said;
}

interface Part {
  readonly text: string;
  readonly kind: string | null;
  readonly other: string | null;
}

/** What is the program's, and what is the person's: one part may hold both. */
function parted(parts: readonly Part[]): readonly [program: readonly Part[], person: readonly Part[]] {
  const [program, person]: [Part[], Part[]] = [[], []];
  for (const part of parts) {
    const { kind } = part;
    const isKnown = kind !== null && kind !== 'unknown';
    if (isKnown && !kind.startsWith('user.')) {
      program.push(part);
      continue;
    }
    const { context, words } = splitText(part.text, isKnown);
    if (context !== '') program.push({ ...part, text: context });
    if (words !== '' || context === '') person.push({ ...part, text: words });
  }
  return [program, person];
}

/** What a reader finds of words that are marked as a person's. */
export function asRead(text: string): string {
  return splitText(text, true).words;
}

interface Split {
  readonly context: string;
  readonly words: string;
}

/** What is known to be the person's has at most the editor's words before it. */
function splitText(text: string, isPersons: boolean): Split {
  const setup = fromEditor.exec(text)?.[0] ?? '';
  if (isPersons || setup !== '') return { context: setup.trim(), words: text.slice(setup.length) };
  if (text.trimStart().startsWith(agentsFile)) {
    const end = text.lastIndexOf(agentsEnd);
    const after = end < 0 ? '' : text.slice(end + agentsEnd.length);
    if (after.trim() === '') return { context: text, words: '' };
    const { context, words } = splitText(after.trim(), false);
    const file = text.slice(0, end + agentsEnd.length);
    return { context: context === '' ? file : `${file}\n${context}`, words };
  }
  const { blocks, words } = partBlocks(text, injected);
  if (blocks.length === 0) return { context: '', words: text };
  return words === '' ? { context: text, words } : { context: blocks.join('\n'), words };
}

function joined(source: Said['source'], parts: readonly Part[]): Said {
  return {
    source,
    text: parts
      .filter(({ other }) => other === null)
      .map(({ text }) => text)
      .join('\n'),
    kind: parts.find(({ kind }) => kind !== null)?.kind ?? null,
    other: parts.flatMap(({ other }) => (other === null ? [] : [other])),
  };
}

function partsOf(message: Fields): readonly Part[] {
  const kinds = textsIn(
    fieldsIn(message, 'internal_chat_message_metadata_passthrough'),
    'content_item_kinds',
  );
  const plain = textIn(message, 'content');
  if (plain !== null) return [{ text: plain, kind: kinds[0] ?? null, other: null }];
  if (isStrange(message['content'])) return [{ text: '', kind: kinds[0] ?? null, other: 'unknown' }];
  const parts = listIn(message, 'content').map((item, place) => {
    const fields = typeof item === 'string' ? { text: item } : fieldsOf(item);
    const text = textIn(fields, 'text') ?? textIn(fields, 'refusal');
    const kind = kinds[place] ?? null;
    return text === null ? { text: '', kind, other: otherIn(fields) } : { text, kind, other: null };
  });
  return parts.some(({ other }) => other === 'image')
    ? parts.filter(({ text }) => !imageTag.test(text))
    : parts;
}

/** Stands around a picture, in a part of its own. */
const imageTag = /^\s*<(?:image(?: name=\[[^\]]*\])?|\/image)>\s*$/;

/** Neither a text nor a list of parts: nothing here can say what it is. */
function isStrange(content: unknown): boolean {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** What a part without text is: `input_image` is an image. */
export function otherIn(part: Fields): string {
  return (textIn(part, 'type') ?? 'unknown').replace(/^(input|output)_/, '');
}
