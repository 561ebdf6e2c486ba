/** Records to transcript: pure, and tolerant of everything a file can hold. */
import { filled } from '../../../core/base/defined.ts';
import { bareFacts } from '../../../core/transcript/bare-facts.ts';
import type { Result, SessionFacts, Step, Transcript } from '../../../core/transcript/step.ts';
import { Tally } from '../../../core/transcript/tally.ts';
import { answeredSteps } from '../../../core/transcript/unanswered.ts';
import { own, textIn, timeIn, type Fields } from '../../../core/transcript/loose-json.ts';
import {
  callsIn,
  compactedIn,
  failureIn,
  fieldsIn,
  resultsIn,
  saidIn,
  titleIn,
  unsaidIn,
  usageIn,
  wordsIn,
} from './record.ts';

type Draft = { -readonly [K in keyof Step]: Step[K] };
/** Where a step comes from. */
type Place = Pick<Step, 'record' | 'at'> & { readonly uuid: string };
type Facts = { -readonly [K in keyof SessionFacts]: SessionFacts[K] };

export function read(records: Iterable<Uint8Array>): Transcript {
  const reading = new Reading();
  let place = 0;
  for (const bytes of records) {
    reading.take(fieldsIn(bytes), place);
    place += 1;
  }
  return reading.transcript();
}

class Reading {
  readonly #tally = new Tally();
  readonly #facts: Facts = bareFacts('qwen-code');
  readonly #drafts: Draft[] = [];
  /** The record of each draft. */
  readonly #uuids: string[] = [];
  /** Of each record, the one that it follows. */
  readonly #parents = new Map<string, string | null>();
  readonly #calls = new Map<string, Draft>();
  #last: string | null = null;

  take(fields: Fields | null, record: number): void {
    const uuid = fields === null ? null : textIn(fields, 'uuid');
    if (fields === null || uuid === null) {
      this.#tally.add('record-unreadable', 'a line that is no record, as a torn write leaves it');
      return;
    }
    const parent = textIn(fields, 'parentUuid');
    // A record whose parent was lost follows the one before it.
    const known = parent === null || this.#parents.has(parent) ? parent : this.#last;
    if (!this.#parents.has(uuid)) this.#parents.set(uuid, known);
    this.#last = uuid;
    this.#note(fields);
    this.#step(fields, { uuid, record, at: timeIn(fields, 'timestamp') });
  }

  #note(fields: Fields): void {
    if (this.#facts.session === '') this.#facts.session = textIn(fields, 'sessionId') ?? '';
    this.#facts.folder ??= textIn(fields, 'cwd');
    this.#facts.startedAt ??= timeIn(fields, 'timestamp');
    this.#facts.version = textIn(fields, 'version') ?? this.#facts.version;
    this.#facts.model = textIn(fields, 'model') ?? this.#facts.model;
    this.#facts.branch ??= textIn(fields, 'gitBranch');
    if (own(fields, 'isSidechain') === true) {
      this.#facts.parent = textIn(fields, 'sessionId');
      this.#facts.session = textIn(fields, 'agentId') ?? this.#facts.session;
    }
  }

  #step(fields: Fields, place: Place): void {
    const type = textIn(fields, 'type') ?? '';
    if (['user', 'assistant', 'tool_result'].includes(type)) this.#miss(unsaidIn(fields));
    switch (type) {
      case 'user': {
        const { user, context } = saidIn(fields);
        if (context !== '') this.#add({ ...place, source: 'system', text: context, mark: 'context' });
        if (user !== '') this.#add({ ...place, source: 'user', text: user });
        return;
      }
      case 'assistant':
        this.#answer(fields, place);
        return;
      case 'tool_result':
        for (const result of resultsIn(fields)) this.#result(result);
        return;
      case 'system':
        this.#addEvent(fields, place);
        return;
      default:
        this.#tally.add('record-unknown', 'a record of a kind this version does not know');
    }
  }

  #miss({ media, strange }: ReturnType<typeof unsaidIn>): void {
    if (media > 0) this.#tally.add('media', 'content that is no text is not carried in steps', media);
    if (strange > 0)
      this.#tally.add('unknown-content', 'content of a kind this version does not know', strange);
  }

  #add({ uuid, ...step }: Omit<Draft, 'id'> & Place): Draft {
    const draft: Draft = { id: this.#drafts.length + 1, ...step };
    this.#drafts.push(draft);
    this.#uuids.push(uuid);
    return draft;
  }

  #answer(fields: Fields, place: Place): void {
    const { calls, lost } = callsIn(fields, place.uuid);
    if (lost > 0) this.#tally.add('arguments', 'arguments that are no JSON object of a sensible depth', lost);
    const text = wordsIn(fields, false);
    const reasoning = wordsIn(fields, true);
    if (text === '' && reasoning === '' && calls.length === 0) return;
    const fresh = calls.filter(({ id }) => !this.#calls.has(id));
    const model = textIn(fields, 'model');
    const usage = usageIn(fields);
    const draft = this.#add({
      ...place,
      source: 'agent',
      text,
      ...filled({ reasoning, model, calls: fresh, usage }),
    });
    for (const { id } of fresh) this.#calls.set(id, draft);
  }

  #result(result: Result): void {
    const draft = this.#calls.get(result.call);
    const known = draft?.results ?? [];
    if (draft === undefined || known.some(({ call }) => call === result.call))
      this.#tally.add('result-alone', 'a result without its call, or a second one');
    else draft.results = [...known, result];
  }

  #addEvent(fields: Fields, place: Place): void {
    const subtype = textIn(fields, 'subtype');
    this.#facts.title = titleIn(fields) ?? this.#facts.title;
    if (subtype === 'chat_compression') {
      const text = compactedIn(fields);
      if (text === null) return;
      for (const draft of this.#drafts) draft.aside ??= 'compacted';
      this.#add({ ...place, source: 'system', text, mark: 'compaction', summary: 'compaction' });
      return;
    }
    const failed = failureIn(fields);
    if (failed !== null) this.#add({ ...place, source: 'system', ...failed });
  }

  transcript(): Transcript {
    const branch = new Set<string>();
    for (let at = this.#last; at !== null && !branch.has(at); at = this.#parents.get(at) ?? null)
      branch.add(at);
    for (const [at, draft] of this.#drafts.entries())
      if (!branch.has(this.#uuids[at] ?? '')) draft.aside ??= 'branch-left';
    return {
      facts: this.#facts,
      ...answeredSteps(this.#drafts),
      omissions: this.#tally.omissions(),
    };
  }
}
