/** Events to transcript: pure, and tolerant of everything a file can hold. */
import { defined, filled } from '../../../core/base/defined.ts';
import { bareFacts } from '../../../core/transcript/bare-facts.ts';
import { listIn, own, partIn, textIn, timeIn, type Fields } from '../../../core/transcript/loose-json.ts';
import type {
  Aside,
  Result,
  SessionFacts,
  Step,
  ToolCall,
  Transcript,
  Usage,
} from '../../../core/transcript/step.ts';
import { Tally } from '../../../core/transcript/tally.ts';
import { answeredSteps } from '../../../core/transcript/unanswered.ts';
import { callsIn, eventIn, failureIn, promptIn, resultIn, usageIn, type CopilotEvent } from './record.ts';

type Draft = { -readonly [K in keyof Step]: Step[K] };
type Facts = { -readonly [K in keyof SessionFacts]: SessionFacts[K] };

export function read(records: Iterable<Uint8Array>): Transcript {
  const reading = new Reading();
  let place = 0;
  for (const bytes of records) {
    reading.take(eventIn(bytes), place);
    place += 1;
  }
  return reading.transcript();
}

/** Of which nothing is told. */
const quiet =
  /^(session|assistant|tool|model|subagent|hook|system|permission|skill|command|mcp|user_input|elicitation|sampling|exit_plan_mode|external_tool|auto_mode_switch|session_limits_exhausted|pending_messages|capabilities|commands|factory)[._]/;

class Reading {
  readonly #tally = new Tally();
  readonly #facts: Facts = bareFacts('copilot-cli');
  readonly #drafts: Draft[] = [];
  /** The event of each draft. */
  readonly #events: string[] = [];
  readonly #calls = new Map<string, Draft>();
  readonly #usage = new Map<string, Usage>();
  #record = 0;

  take(event: CopilotEvent | null, record: number): void {
    this.#record = record;
    if (event === null)
      this.#tally.add('record-unreadable', 'a line that is no event, as a torn write leaves it');
    else if (event.isAgents) this.#ofAgent(event);
    else this.#step(event);
  }

  #step(event: CopilotEvent): void {
    const { type, data } = event;
    switch (type) {
      case 'session.start':
        return this.#begin(data, event.at);
      case 'session.title_changed':
        this.#facts.title = textIn(data, 'title') ?? this.#facts.title;
        return;
      case 'user.message':
        return this.#addMessage(event);
      case 'assistant.message':
        return this.#answer(event);
      case 'session.usage_record': {
        const told = usageIn(data);
        if (told !== null) this.#usage.set(told.answer, told.usage);
        return;
      }
      case 'tool.execution_complete':
        return this.#result(resultIn(data));
      case 'hook.end':
        return this.#context(event, textIn(partIn(data, 'output'), 'additionalContext'));
      case 'system.notification':
        return this.#context(event, textIn(data, 'content'));
      case 'session.error':
        this.#add(event, { source: 'system', ...failureIn(data) });
        return;
      case 'abort':
        this.#add(event, { source: 'system', text: textIn(data, 'reason') ?? '', mark: 'interrupted' });
        return;
      default:
        this.#addEvent(event);
    }
  }

  #addEvent(event: CopilotEvent): void {
    const { type, data } = event;
    if (type === 'session.compaction_complete') {
      const text = textIn(data, 'summaryContent');
      if (own(data, 'success') !== true || text === null) return;
      this.#leave('compacted', 0);
      this.#add(event, { source: 'system', text, mark: 'compaction', summary: 'compaction' });
    } else if (type === 'session.context_cleared') this.#leave('branch-left', 0);
    else if (type === 'session.snapshot_rewind') this.#rewind(data);
    else if (!quiet.test(type))
      this.#tally.add('record-unknown', 'a record of a kind this version does not know');
  }

  #begin(data: Fields, at: number | null): void {
    const context = partIn(data, 'context');
    if (this.#facts.session === '') this.#facts.session = textIn(data, 'sessionId') ?? '';
    this.#facts.folder ??= textIn(context, 'cwd');
    this.#facts.branch ??= textIn(context, 'branch');
    this.#facts.startedAt ??= timeIn(data, 'startTime') ?? at;
    this.#facts.version = textIn(data, 'copilotVersion') ?? this.#facts.version;
    this.#facts.model = textIn(data, 'selectedModel') ?? this.#facts.model;
  }

  #addMessage(event: CopilotEvent): void {
    const { data } = event;
    const text = promptIn(data);
    const attached = listIn(data, 'attachments')?.length ?? 0;
    if (attached > 0) this.#tally.add('media', 'content that is no text is not carried in steps', attached);
    if (textIn(data, 'content') === null)
      this.#tally.add('unknown-content', 'content of a kind this version does not know');
    else if (text !== '') this.#add(event, { source: 'user', text });
    else this.#context(event, textIn(data, 'content'));
  }

  #context(event: CopilotEvent, text: string | null): void {
    if (text !== null && text !== '') this.#add(event, { source: 'system', text, mark: 'context' });
  }

  #answer(event: CopilotEvent): void {
    const { data } = event;
    const calls = this.#fresh(event);
    const text = textIn(data, 'content') ?? '';
    const reasoning = textIn(data, 'reasoningText') ?? '';
    const model = textIn(data, 'model');
    const usage = this.#usage.get(textIn(data, 'apiCallId') ?? '');
    this.#facts.model = model ?? this.#facts.model;
    if (text === '' && reasoning === '' && calls.length === 0) return;
    const draft = this.#add(event, {
      source: 'agent',
      text,
      ...filled({ reasoning, model, calls }),
      ...defined({ usage }),
    });
    for (const { id } of calls) this.#calls.set(id, draft);
  }

  #fresh({ data, id }: CopilotEvent): ToolCall[] {
    const { calls, lost } = callsIn(data, id);
    if (lost > 0) this.#tally.add('arguments', 'arguments that are no JSON object of a sensible depth', lost);
    return calls.filter(
      (call, at) => !this.#calls.has(call.id) && calls.findIndex((one) => one.id === call.id) === at,
    );
  }

  /** Its calls go with the one that started it; its words are told by that one's result. */
  #ofAgent(event: CopilotEvent): void {
    if (event.type === 'tool.execution_complete') return this.#result(resultIn(event.data));
    if (event.type !== 'assistant.message') return;
    const draft = this.#calls.get(textIn(event.data, 'parentToolCallId') ?? '');
    const calls = this.#fresh(event);
    if (textIn(event.data, 'content') !== '' || draft === undefined)
      this.#tally.add('subagent', 'what an agent said that a call of the session started');
    if (draft === undefined) return;
    draft.calls = [...(draft.calls ?? []), ...calls];
    for (const { id } of calls) this.#calls.set(id, draft);
  }

  #result(result: Result | null): void {
    const draft = result === null ? undefined : this.#calls.get(result.call);
    const known = draft?.results ?? [];
    if (result === null || draft === undefined || known.some(({ call }) => call === result.call))
      this.#tally.add('result-alone', 'a result without its call, a second one, or one of an unknown form');
    else draft.results = [...known, result];
  }

  /** The events that were taken back, or all from the first of them on. */
  #rewind(data: Fields): void {
    const ids = own(data, 'eventIds');
    const from = this.#events.indexOf(textIn(data, 'upToEventId') ?? '');
    if (!Array.isArray(ids)) {
      if (from >= 0) this.#leave('branch-left', from);
      return;
    }
    const gone = new Set<unknown>(ids);
    for (const [at, draft] of this.#drafts.entries())
      if (gone.has(this.#events[at])) draft.aside ??= 'branch-left';
  }

  #leave(aside: Aside, from: number): void {
    for (const draft of this.#drafts.slice(from)) draft.aside ??= aside;
  }

  #add({ id, at }: CopilotEvent, step: Omit<Draft, 'id' | 'at' | 'record'>): Draft {
    const draft: Draft = { id: this.#drafts.length + 1, at, record: this.#record, ...step };
    this.#drafts.push(draft);
    this.#events.push(id);
    return draft;
  }

  transcript(): Transcript {
    return {
      facts: this.#facts,
      ...answeredSteps(this.#drafts),
      omissions: this.#tally.omissions(),
    };
  }
}
