/**
 * Who a message is from. Codex stores what it injects (environment, permissions, skills, hook output) with the same roles as
 * what a person typed. Since 0.16x each part has a kind, of which those that begin with `user.` are the person's; before, and in
 * sessions that were written from outside, only the text tells.
 */
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

/** How injected user messages began before parts had kinds. */
const injected = [
  '<environment_context>',
  '<user_instructions>',
  '<permissions instructions>',
  '<skills_instructions>',
  '<skill>',
  '<turn_aborted>',
  '<user_shell_command>',
  '<subagent_notification>',
  '<collaboration_mode>',
  '<model_switch>',
  '<personality_spec>',
  '<hook_prompt',
  '# AGENTS.md instructions for ',
];

/** A message as what was said by whom: one, unless a person's words and injected ones share it. */
export function saidIn(message: Fields): readonly Said[] {
  const role = textIn(message, 'role');
  const parts = partsOf(message);
  if (role === 'assistant') return [joined('agent', parts)];
  if (role !== 'user') return [joined('system', parts)];
  const users = parts.filter(isUsers);
  const rest = parts.filter((part) => !isUsers(part));
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

function isUsers(part: Part): boolean {
  if (part.kind !== null && part.kind !== 'unknown') return part.kind.startsWith('user.');
  return !injected.some((beginning) => part.text.trimStart().startsWith(beginning));
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
  return listIn(message, 'content').map((item, place) => {
    const fields = typeof item === 'string' ? { text: item } : fieldsOf(item);
    const text = textIn(fields, 'text') ?? textIn(fields, 'refusal');
    const kind = kinds[place] ?? null;
    return text === null ? { text: '', kind, other: otherIn(fields) } : { text, kind, other: null };
  });
}

/** Neither a text nor a list of parts: nothing here can say what it is. */
export function isStrange(content: unknown): boolean {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** What a part without text is: `input_image` is an image. */
export function otherIn(part: Fields): string {
  return (textIn(part, 'type') ?? 'unknown').replace(/^(input|output)_/, '');
}
