/**
 * What people typed in a session, found by the shape of its records and with no code of the readers that are measured.
 *
 * `typed` are messages: each must be told. `given` are further words of people, which may be told in their name: an answer to a
 * question, the reason of a refusal, the words after a command, a plan that was approved, a message that was taken back from the
 * queue. Everything else in a record of role user was written by the program.
 */
import { blocksOf, isRecord, objectIn, recordAt, recordsIn, textAt, type Json } from './raw-records.ts';

export interface HumanWords {
  readonly typed: readonly string[];
  readonly given: readonly string[];
}

type Words = { typed: string[]; given: string[] };

export function humanWords(text: string): HumanWords {
  const words: Words = { typed: [], given: [] };
  let isLines = false;
  /** Codex keeps what a person sent as an event, and besides that what the model was given in the role of a user. */
  const roleOfUser: string[] = [];
  for (const record of recordsIn(text)) {
    isLines = true;
    if (isRecord(record['payload'])) fromCodex(record, record['payload'], words, roleOfUser);
    else fromClaudeCode(record, words);
  }
  if (words.typed.length === 0) words.typed.push(...roleOfUser);
  if (!isLines) fromGemini(objectIn(text), words);
  return { typed: unique(words.typed), given: unique(words.given) };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** Elements that the programs put around what they themselves write in the place of a user. */
const wrapped = /^\s*<[a-z][a-z_-]*>/;
/** How Claude Code hands an approved plan on; not every version keeps the plan in a field of its own as well. */
const planOpening = 'Implement the following plan:\n\n';
const planNote = '\n\nIf you need specific details from before exiting plan mode (';
/** What a hook had to say, in the place of what was typed. */
const hookNotice = 'Operation stopped by hook: ';
const interrupted = /^\[Request interrupted by user[^\]]*\]$/;

function fromClaudeCode(record: Json, words: Words): void {
  if (record['isSidechain'] === true) return;
  if (record['type'] === 'attachment') return fromAttachment(recordAt(record, 'attachment'), words);
  if (record['type'] === 'queue-operation') {
    const queued = textAt(record, 'content');
    if (queued !== null && !wrapped.test(queued)) words.given.push(queued);
    return;
  }
  if (record['type'] !== 'user') return;
  const content = recordAt(record, 'message')?.['content'];
  fromResults(record['toolUseResult'], content, words);
  if (record['isMeta'] === true || record['isCompactSummary'] === true) return;
  const origin = recordAt(record, 'origin');
  if (origin !== null && origin['kind'] !== 'human') return;
  if (record['promptSource'] === 'system') return;
  const texts =
    typeof content === 'string'
      ? [content]
      : blocksOf(content).flatMap((block) => (block['type'] === 'text' ? (textAt(block, 'text') ?? []) : []));
  for (const text of texts) {
    if (interrupted.test(text.trim()) || text.startsWith(hookNotice)) continue;
    if (record['planContent'] !== undefined || text.startsWith(planOpening))
      words.given.push(text.split(planNote)[0] ?? '');
    else if (wrapped.test(text)) words.given.push(...commandWords(text));
    else words.typed.push(text);
  }
}

/** Typed while the agent worked. */
function fromAttachment(attachment: Json | null, words: Words): void {
  if (attachment?.['type'] !== 'queued_command' || attachment['commandMode'] !== 'prompt') return;
  const origin = recordAt(attachment, 'origin');
  if (origin !== null && origin['kind'] !== 'human') return;
  const { prompt } = attachment;
  const texts =
    typeof prompt === 'string' ? [prompt] : blocksOf(prompt).flatMap((block) => textAt(block, 'text') ?? []);
  words.typed.push(...texts.filter((text) => !wrapped.test(text)));
}

/** A command with what was typed after it, and a line that was typed for the shell. */
function commandWords(text: string): string[] {
  const inside = (element: string): string =>
    new RegExp(`<${element}>([^]*?)</${element}>`).exec(text)?.[1]?.trim() ?? '';
  return [`${inside('command-name')} ${inside('command-args')}`, inside('bash-input')];
}

const refusal = 'the user said:\n';

function fromResults(result: unknown, content: unknown, words: Words): void {
  const answers = isRecord(result) ? recordAt(result, 'answers') : null;
  if (answers !== null) words.given.push(...Object.values(answers).flatMap(textsOf));
  const notes = isRecord(result) ? recordAt(result, 'annotations') : null;
  if (notes !== null) words.given.push(...Object.values(notes).flatMap(textsOf));
  for (const block of blocksOf(content)) {
    if (block['type'] !== 'tool_result') continue;
    for (const text of textsOf(block['content'])) {
      const at = text.indexOf(refusal);
      if (block['is_error'] === true && at !== -1) words.given.push(text.slice(at + refusal.length));
    }
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}

function fromCodex(record: Json, payload: Json, words: Words, roleOfUser: string[]): void {
  if (record['type'] === 'event_msg' && payload['type'] === 'user_message') {
    const message = textAt(payload, 'message');
    if (message !== null && !wrapped.test(message)) words.typed.push(message);
  }
  if (record['type'] === 'response_item' && payload['type'] === 'message' && payload['role'] === 'user')
    for (const block of blocksOf(payload['content'])) {
      const text = block['type'] === 'input_text' ? textAt(block, 'text') : null;
      if (text !== null && !wrapped.test(text) && !text.startsWith('# AGENTS.md instructions'))
        roleOfUser.push(text);
    }
}

function fromGemini(document: Json | null, words: Words): void {
  for (const message of blocksOf(document?.['messages']))
    if (message['type'] === 'user') words.typed.push(...textsOf(message['content']));
}
