/** One message as it stands in a record, apart from all others: what it says, its calls, and the results that it carries. */
import type { StepMark, Omission, Result, Usage } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';
import { Tally } from '../../../core/transcript/tally.ts';
import type { CallSeen } from './tool-call.ts';
import { callsIn, responsesIn, unknownContent } from './tool-call.ts';
import type { Fields } from '../../../core/transcript/loose-json.ts';
import { countIn, fieldsOf, listIn, own, textIn, timeIn } from '../../../core/transcript/loose-json.ts';
import { contentParts } from '../../content-parts.ts';
import { saidIn } from './user-text.ts';

/** A message has at most one of each; every one of them is a step. */
export type Voice = 'context' | 'user' | 'agent' | 'notice';

export interface Utterance {
  readonly voice: Voice;
  readonly text: string;
  readonly mark?: StepMark;
  /** It cannot be the program's, whatever it looks like. */
  readonly guarded?: true;
}

export interface Message {
  readonly id: string;
  readonly at: number | null;
  readonly utterances: readonly Utterance[];
  readonly calls: readonly CallSeen[];
  /** Results that came in the user's voice; the call they belong to is in an earlier message. */
  readonly responses: readonly Result[];
  readonly reasoning: string;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly losses: readonly Omission[];
}

/** Null where it is none: of an unknown type, or without an id (which the program loses as well). */
export function messageOf(value: unknown): Message | null {
  const fields = fieldsOf(value);
  const id = fields === null ? null : textIn(fields, 'id');
  if (fields === null || id === null) return null;
  const type = textIn(fields, 'type');
  const tally = new Tally();
  switch (type) {
    case 'user':
      return { ...plain(id, fields), ...userParts(fields, tally), losses: tally.omissions() };
    case 'gemini':
      return { ...plain(id, fields), ...agentParts(id, fields, tally), losses: tally.omissions() };
    case 'info':
    case 'warning':
    case 'error':
      return { ...plain(id, fields), utterances: [notice(id, type, fields)] };
    default:
      return null;
  }
}

function plain(id: string, fields: Fields): Message {
  return {
    id,
    at: timeIn(fields, 'timestamp'),
    utterances: [],
    calls: [],
    responses: [],
    reasoning: '',
    model: null,
    usage: null,
    losses: [],
  };
}

const pulledInByLines =
  'what stands between the marks of referenced files is told as the program\u2019s, also where somebody typed the marks';

function userParts(fields: Fields, tally: Tally): Pick<Message, 'utterances' | 'responses'> {
  const parts = contentParts(own(fields, 'content'));
  countOther(own(fields, 'content'), tally);
  const said = saidIn(fields);
  if (said.byLines === true) tally.add('file-content', pulledInByLines);
  const utterances: Utterance[] = [];
  if (said.context !== '') utterances.push({ voice: 'context', text: said.context, mark: 'context' });
  if (said.user !== '')
    utterances.push({ voice: 'user', text: said.user, ...(said.guarded ? { guarded: true } : {}) });
  return { utterances, responses: responsesIn(parts, tally) };
}

function agentParts(id: string, fields: Fields, tally: Tally): Partial<Message> {
  const parts = contentParts(own(fields, 'content'));
  countOther(own(fields, 'content'), tally);
  const calls = callsIn(id, fields, parts, tally);
  const text = parts
    .map((part) => (own(part, 'thought') === true ? '' : (textIn(part, 'text') ?? '')))
    .join('');
  const reasoning = thoughtsIn(fields, parts);
  const empty = text === '' && calls.length === 0 && reasoning === '';
  return {
    utterances: empty ? [] : [{ voice: 'agent', text }],
    calls,
    reasoning,
    model: textIn(fields, 'model'),
    usage: usageIn(fields),
  };
}

/** `thoughts` are the readable summaries; a resumed session has them as parts of the content too. */
function thoughtsIn(fields: Fields, parts: readonly Fields[]): string {
  const thoughts = (listIn(fields, 'thoughts') ?? []).flatMap((thought) => {
    const inner = fieldsOf(thought);
    if (inner === null) return [];
    const subject = textIn(inner, 'subject') ?? '';
    const description = textIn(inner, 'description') ?? '';
    return [subject === '' || subject === description ? description : `${subject}\n${description}`.trim()];
  });
  if (thoughts.length > 0) return thoughts.join('\n\n');
  return parts
    .flatMap((part) => (own(part, 'thought') === true ? [textIn(part, 'text') ?? ''] : []))
    .join('\n\n');
}

function usageIn(fields: Fields): Usage | null {
  const tokens = fieldsOf(own(fields, 'tokens'));
  if (tokens === null) return null;
  const usage: Record<string, number> = {};
  for (const [ours, theirs] of usageNames) {
    const count = countIn(tokens, theirs);
    if (count !== null) usage[ours] = count;
  }
  return usage;
}

const usageNames = [
  ['input', 'input'],
  ['output', 'output'],
  ['cached', 'cached'],
  ['reasoning', 'thoughts'],
  ['window', 'total'],
] as const;

function notice(id: string, type: 'info' | 'warning' | 'error', fields: Fields): Utterance {
  const text = contentParts(own(fields, 'content'))
    .map((part) => textIn(part, 'text') ?? '')
    .join('');
  if (id.startsWith('import-')) return { voice: 'notice', text, mark: 'resumed' };
  if (type !== 'error') return { voice: 'notice', text };
  return { voice: 'notice', text, mark: errorMark(text) };
}

function errorMark(text: string): StepMark {
  if (/quota|usage limit/i.test(text) || saysSpent(text)) return 'usage-limit';
  if (saysTooLong(text)) return 'context-limit';
  return /\b429\b|rate.?limit|resource.?exhausted/i.test(text) ? 'rate-limited' : 'error';
}

const otherParts = [
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'videoMetadata',
] as const;

const knownParts = ['text', 'functionCall', 'functionResponse', 'thought', 'thoughtSignature'] as const;

function isStrange(part: Fields): boolean {
  const text = own(part, 'text');
  if (text !== undefined && typeof text !== 'string') return true;
  return Object.keys(part).length > 0 && !knownParts.some((kind) => own(part, kind) !== undefined);
}

function countOther(content: unknown, tally: Tally): void {
  for (const part of contentParts(content)) {
    const others = otherParts.filter((kind) => own(part, kind) !== undefined);
    if (others.length > 0)
      tally.add('media', 'content that is no text is not carried in steps', others.length);
    else if (isStrange(part)) tally.add('unknown-content', unknownContent);
  }
  const list: readonly unknown[] = Array.isArray(content) ? content : [];
  const strange = list.filter((part) => typeof part !== 'string' && fieldsOf(part) === null).length;
  if (strange > 0) tally.add('unknown-content', unknownContent, strange);
}
