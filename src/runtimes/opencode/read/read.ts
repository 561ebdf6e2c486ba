/**
 * Records → transcript. Records are folded in their order, and a later record of an id replaces an earlier one (capture.ts). A step is
 * made by the first record that calls for it and keeps its number from then on:
 *
 *   a message of the assistant   one step, as soon as the message is there; its parts are added as they come. The program asks the
 *                                model once per message, so a step is one answer with the results of its calls
 *   a message of the user        a step with the first part of each sort: what was said (user), what the program put into
 *                                the user's mouth (`synthetic`, system), and a request to compact (system)
 *
 * What makes a step never changes in a row (role, kind of part, `synthetic`), so it does not matter how often it was captured.
 */
import type {
  Aside,
  ToolCall,
  JsonObject,
  Omission,
  Step,
  Transcript,
} from '../../../core/transcript/step.ts';
import { keptOf, losses, type Kept } from './part.ts';
import { dig, field, objectOf, parseRecord, textOf, type MessageRecord, type PartRecord } from './schema.ts';
import { factsOf, stepOf } from './step-of.ts';

export type Sort = 'agent' | 'user' | 'synthetic' | 'compaction';

export interface StepDraft {
  readonly sort: Sort;
  readonly message: Message;
  readonly record: number;
  readonly parts: Map<string, Kept>;
}

export interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly index: number;
  created: number | null;
  data: JsonObject;
  /** From which message on the model still saw what was before a compaction. */
  tailStart: string | null;
}

interface Fold {
  session: { readonly id: string; readonly data: JsonObject } | null;
  readonly messages: Map<string, Message>;
  readonly drafts: StepDraft[];
  readonly draftBySort: Map<string, StepDraft>;
  readonly draftByPart: Map<string, StepDraft>;
  readonly lost: Map<string, number>;
}

export function read(records: Iterable<Uint8Array>): Transcript {
  const fold: Fold = {
    session: null,
    messages: new Map(),
    drafts: [],
    draftBySort: new Map(),
    draftByPart: new Map(),
    lost: new Map(),
  };
  let place = 0;
  for (const bytes of records) {
    take(fold, bytes, place);
    place += 1;
  }
  return transcriptOf(fold);
}

function take(fold: Fold, bytes: Uint8Array, place: number): void {
  const record = parseRecord(bytes);
  if (record === null) count(fold.lost, 'unknown-record');
  else if (record.type === 'session') fold.session = record;
  else if (record.type === 'message') takeMessage(fold, record, place);
  else takePart(fold, record, place);
}

function takeMessage(fold: Fold, record: MessageRecord, place: number): void {
  const known = fold.messages.get(record.id);
  if (known !== undefined) {
    known.data = slim(record.data);
    return;
  }
  const role = field(record.data, 'role');
  if (role !== 'user' && role !== 'assistant') {
    count(fold.lost, 'unknown-message');
    return;
  }
  const { id, created } = record;
  const index = fold.messages.size;
  const message: Message = { id, role, index, created, data: slim(record.data), tailStart: null };
  fold.messages.set(id, message);
  if (role === 'assistant') draftFor(fold, message, 'agent', place);
}

/** Diffs of a turn can be as large as the turn and are not looked at. */
function slim(data: JsonObject): JsonObject {
  if (objectOf(field(data, 'summary')) === null) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'summary'));
}

function takePart(fold: Fold, record: PartRecord, place: number): void {
  const message = fold.messages.get(record.message);
  if (message === undefined) {
    count(fold.lost, 'part-without-message');
    return;
  }
  const draft = fold.draftByPart.get(record.id) ?? draftOfPart(fold, message, record, place);
  if (draft === null) {
    const { lost } = keptOf(record.data, record.id);
    if (lost !== undefined) count(fold.lost, lost);
    return;
  }
  fold.draftByPart.set(record.id, draft);
  draft.parts.set(record.id, keptOf(record.data, record.id));
  if (draft.sort === 'compaction') message.tailStart = textOf(field(record.data, 'tail_start_id'));
}

function draftOfPart(fold: Fold, message: Message, record: PartRecord, place: number): StepDraft | null {
  const sort = message.role === 'assistant' ? 'agent' : sortOf(record.data);
  return sort === null ? null : draftFor(fold, message, sort, place);
}

function sortOf(data: JsonObject): Sort | null {
  const type = field(data, 'type');
  if (type === 'text') return isAdded(data) ? 'synthetic' : 'user';
  if (type === 'file') return 'user';
  if (type === 'subtask') return 'synthetic';
  return type === 'compaction' ? 'compaction' : null;
}

/** `ignored` is shown to the user and kept from the model: a note of a plugin. */
function isAdded(data: JsonObject): boolean {
  return field(data, 'synthetic') === true || field(data, 'ignored') === true;
}

function draftFor(fold: Fold, message: Message, sort: Sort, record: number): StepDraft {
  const key = `${sort} ${message.id}`;
  const known = fold.draftBySort.get(key);
  if (known !== undefined) return known;
  const draft: StepDraft = { sort, message, record, parts: new Map() };
  fold.draftBySort.set(key, draft);
  fold.drafts.push(draft);
  return draft;
}

/**
 * Some models count their calls from 0 in each answer. The part with the lowest id, which is the oldest, keeps such an id; so a
 * call keeps its own when the session grows.
 */
function giveOwnIds(drafts: readonly StepDraft[]): void {
  const owners = new Map<string, string>();
  for (const [partId, { call }] of drafts.flatMap(({ parts }) => [...parts])) {
    const owner = call === undefined ? undefined : owners.get(call.id);
    if (call !== undefined && (owner === undefined || partId < owner)) owners.set(call.id, partId);
  }
  for (const { parts } of drafts) {
    for (const [partId, kept] of parts) {
      if (kept.call !== undefined && owners.get(kept.call.id) !== partId) {
        parts.set(partId, renamed(kept, kept.call, `${kept.call.id} ${partId}`));
      }
    }
  }
}

function renamed(kept: Kept, call: ToolCall, id: string): Kept {
  const { result } = kept;
  return {
    ...kept,
    call: { ...call, id },
    ...(result === undefined ? {} : { result: { ...result, call: id } }),
  };
}

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

function transcriptOf(fold: Fold): Transcript {
  giveOwnIds(fold.drafts);
  const asideOf = asides(fold);
  const steps = fold.drafts.map((draft, i) => {
    const aside = asideOf(draft, i);
    const step = stepOf(draft, i + 1);
    return aside === null ? step : { ...step, aside };
  });
  const lost = new Map(fold.lost);
  for (const { parts } of fold.drafts) {
    for (const kept of parts.values()) if (kept.lost !== undefined) count(lost, kept.lost);
  }
  return {
    facts: factsOf(fold.session, steps),
    steps,
    omissions: [...lost].map(([kind, many]): Omission => ({ kind, count: many, why: losses[kind] ?? '' })),
    unanswered: unansweredOf(steps),
  };
}

/** Only what nobody spoke after: a call that was cut off earlier is history. */
function unansweredOf(steps: readonly Step[]): Transcript['unanswered'] {
  const since = steps.findLastIndex(({ source }) => source === 'user') + 1;
  return steps.slice(since).flatMap(({ calls = [], results = [] }) => {
    const answered = new Set(results.map(({ call }) => call));
    return calls.filter(({ id }) => !answered.has(id));
  });
}

type AsideOf = (draft: StepDraft, index: number) => Aside | null;

/**
 * As the program itself decides what the model sees: nothing before the last request to compact that was answered by a
 * summary without error, but for the tail that the request names; and nothing from a revert on.
 */
function asides(fold: Fold): AsideOf {
  const cut = lastCompaction(fold);
  const tail = cut?.message.tailStart ?? null;
  const tailIndex = tail === null ? undefined : fold.messages.get(tail)?.index;
  const cutAt = cut === null ? -1 : fold.drafts.indexOf(cut);
  const reverted = revertedFrom(fold);
  return ({ message }, index) => {
    if (reverted !== null && message.index >= reverted) return 'branch-left';
    const kept = tailIndex !== undefined && message.index >= tailIndex;
    return index < cutAt && !kept ? 'compacted' : null;
  };
}

function lastCompaction(fold: Fold): StepDraft | null {
  const answered = new Set<string>();
  for (const { role, data } of fold.messages.values()) {
    const parent = textOf(field(data, 'parentID'));
    const done = field(data, 'summary') === true && textOf(field(data, 'finish')) !== null;
    const failed = objectOf(field(data, 'error')) !== null;
    if (role === 'assistant' && done && !failed && parent !== null) answered.add(parent);
  }
  return (
    fold.drafts.findLast(({ sort, message }) => sort === 'compaction' && answered.has(message.id)) ?? null
  );
}

/** With a part named, the message itself is left only from that part on, and its step stays. */
function revertedFrom(fold: Fold): number | null {
  const revert = objectOf(dig(fold.session?.data ?? null, 'revert'));
  const message = fold.messages.get(textOf(field(revert, 'messageID')) ?? '');
  if (message === undefined) return null;
  return textOf(field(revert, 'partID')) === null ? message.index : message.index + 1;
}
