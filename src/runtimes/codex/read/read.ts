/**
 * Native records → the neutral transcript. The conversation is in the response items; of the events only what is nowhere else is
 * used: exit codes, started agents, interruptions, errors, rollbacks, figures.
 *
 * One answer of the model is one step: its reasoning, its text, its calls. It ends with the figures of its cost, with a result, with
 * anything that is not the model's, or where a second text begins.
 */
import { filled } from '../../../core/base/defined.ts';
import { bareFacts } from '../../../core/transcript/bare-facts.ts';
import type { SessionFacts, Transcript, Usage } from '../../../core/transcript/step.ts';
import { Calls } from './calls.ts';
import { abortedKind, saidIn, summaryKind } from './context.ts';
import { errorMark } from './error-mark.ts';
import { Prompts } from './prompts.ts';
import { compact, rollBack } from './replaced.ts';
import {
  fieldsIn,
  fieldsOf,
  has,
  listIn,
  numberIn,
  parseRecord,
  textIn,
  timeIn,
  type Fields,
  type NativeRecord,
} from './schema.ts';
import { Losses, Steps, type StepMoment, type OpenStep } from './steps.ts';

export function read(records: Iterable<Uint8Array>): Transcript {
  const reader = new Reader();
  let place = 0;
  for (const bytes of records) reader.take(bytes, place++);
  return reader.transcript();
}

const blank = bareFacts('codex');

/** `sandbox danger-full-access, approval never` */
function permissionsIn(payload: Fields): string | null {
  const sandbox = textIn(fieldsIn(payload, 'sandbox_policy'), 'type');
  const approval = textIn(payload, 'approval_policy');
  const said = [
    ...(sandbox === null ? [] : [`sandbox ${sandbox}`]),
    ...(approval === null ? [] : [`approval ${approval}`]),
  ];
  return said.length === 0 ? null : said.join(', ');
}

class Reader {
  readonly #steps = new Steps();
  readonly #losses = new Losses();
  readonly #calls = new Calls(this.#losses);
  readonly #messages = new Map<string, OpenStep>();
  #facts: SessionFacts | null = null;
  #model: string | null = null;
  #title: string | null = null;
  #permissions: string | null = null;
  /** The answer that is being given. */
  #answer: OpenStep | null = null;
  /** The last answer, to which figures belong that come after it. */
  #answered: OpenStep | null = null;
  #total = -1;
  readonly #prompts = new Prompts();

  take(bytes: Uint8Array, place: number): void {
    const record = parseRecord(bytes);
    if (record === null) {
      this.#losses.add('unreadable-record', 'it is no JSON object with a type');
      return;
    }
    this.#record(record, { at: record.at, record: place });
  }

  transcript(): Transcript {
    const facts = this.#facts ?? blank;
    this.#prompts.settle(this.#steps.last());
    return {
      facts: {
        ...facts,
        model: this.#model,
        title: this.#title,
        ...filled({ permissions: this.#permissions }),
      },
      steps: this.#steps.closed(),
      omissions: this.#losses.list(),
      unanswered: this.#calls.unanswered(),
    };
  }

  #record({ type, payload }: NativeRecord, moment: StepMoment): void {
    switch (type) {
      case 'session_meta':
        return this.#meta(payload);
      case 'turn_context':
        this.#model = textIn(payload, 'model') ?? this.#model;
        this.#permissions = permissionsIn(payload) ?? this.#permissions;
        return;
      case 'response_item':
        return this.#item(payload, moment);
      case 'event_msg':
        return this.#event(payload, moment);
      case 'token_usage_record':
        return this.#usage(payload);
      case 'compacted':
        this.#answer = null;
        return compact(this.#steps, { payload, moment, messages: this.#messages }, this.#losses);
      case 'world_state':
        return;
      default:
        this.#losses.add('unknown-record', 'this version does not know records of its type');
    }
  }

  /** The first says which session it is. A fork keeps its origin's before its own, or (older) copied after it. */
  #meta(payload: Fields): void {
    if (has(payload, 'base_instructions')) {
      this.#losses.add('base-instructions', 'the program writes its own system prompt');
    }
    const origin = textIn(payload, 'forked_from_id');
    if (this.#facts !== null && this.#facts.session !== origin) return;
    if (this.#facts === null && numberIn(payload, 'forked_from_ordinal_exclusive') !== null) {
      this.#losses.add(
        'forked-history',
        'what came before the fork is in the session that it was forked from',
      );
    }
    const git = fieldsIn(payload, 'git');
    this.#facts = {
      ...blank,
      session: textIn(payload, 'id') ?? textIn(payload, 'session_id') ?? '',
      version: textIn(payload, 'cli_version'),
      folder: textIn(payload, 'cwd'),
      branch: textIn(git, 'branch'),
      commit: textIn(git, 'commit_hash'),
      startedAt: timeIn(payload, 'timestamp'),
      parent: parentIn(payload),
    };
  }

  #item(payload: Fields, moment: StepMoment): void {
    const type = textIn(payload, 'type') ?? '';
    if (type === 'message') return this.#message(payload, moment);
    if (type === 'reasoning') return this.#reasoning(payload, moment);
    if (type.endsWith('_output')) return this.#calls.answer(payload);
    if (type.endsWith('_call')) {
      const answer = this.#answerOpen(moment, ({ results }) => results.length === 0);
      return this.#calls.add(answer, payload, moment.record);
    }
    if (textIn(payload, 'encrypted_content') !== null) {
      return this.#losses.add(
        'compaction-encrypted',
        'the summary can be read by the service that wrote it alone',
      );
    }
    this.#losses.add('unknown-item', 'this version does not know items of its type');
  }

  #message(payload: Fields, moment: StepMoment): void {
    for (const said of saidIn(payload)) {
      for (const kind of said.other) this.#losses.add(kind, 'it is no text');
      const step =
        said.source === 'agent' ? this.#answerSpoken(moment) : this.#steps.add(said.source, moment);
      step.text = said.text;
      if (said.source !== 'agent') this.#answer = null;
      if (said.source === 'system') step.mark = markOf(said.kind, said.text);
      if (step.mark === 'compaction' && said.text !== '') step.summary = 'compaction';
      if (said.source === 'user' && said.kind === null) this.#prompts.unsure(step);
      const id = textIn(payload, 'id');
      if (id !== null) this.#messages.set(id, step);
    }
  }

  #reasoning(payload: Fields, moment: StepMoment): void {
    if (textIn(payload, 'encrypted_content') !== null) {
      this.#losses.add('reasoning-encrypted', 'it can be read by the service that wrote it alone');
    }
    const texts = [...listIn(payload, 'summary'), ...listIn(payload, 'content')].flatMap(
      (part) => textIn(fieldsOf(part), 'text') ?? [],
    );
    if (texts.length === 0) return;
    const answer = this.#answerOpen(moment, ({ spoken, calls }) => !spoken && calls.length === 0);
    for (const text of texts) answer.reasoning.push(text);
  }

  #answerSpoken(moment: StepMoment): OpenStep {
    const answer = this.#answerOpen(moment, ({ spoken, calls }) => !spoken && calls.length === 0);
    answer.spoken = true;
    return answer;
  }

  /** The answer being given if it can take one more thing, and otherwise a new one. */
  #answerOpen(moment: StepMoment, takes: (answer: OpenStep) => boolean): OpenStep {
    if (this.#answer !== null && takes(this.#answer)) return this.#answer;
    this.#answer = this.#steps.add('agent', moment);
    this.#answer.model = this.#model;
    this.#answered = this.#answer;
    return this.#answer;
  }

  #event(payload: Fields, moment: StepMoment): void {
    switch (textIn(payload, 'type')) {
      case 'user_message':
        return this.#prompts.addTyped(textIn(payload, 'message') ?? '');
      case 'item_completed':
        return this.#calls.note(fieldsIn(payload, 'item'));
      case 'exec_command_end':
      case 'patch_apply_end':
        return this.#calls.note(legacyItem(payload));
      case 'token_count':
        return this.#count(fieldsIn(payload, 'info'));
      case 'thread_rolled_back':
        this.#answer = null;
        return rollBack(this.#steps, payload);
      case 'thread_name_updated':
        this.#title = textIn(payload, 'thread_name') ?? this.#title;
        return;
      case 'turn_aborted':
        return this.#notice(moment, { mark: 'interrupted', text: textIn(payload, 'reason') ?? '' });
      case 'error':
        return this.#notice(moment, errorMark(payload));
      case 'task_complete':
        if (has(fieldsIn(payload, 'error'), 'message'))
          this.#notice(moment, errorMark(fieldsIn(payload, 'error')));
        return;
      default:
    }
  }

  /** Most of what happens is told twice, in an item and in an event. */
  #notice(moment: StepMoment, { mark, text }: ReturnType<typeof errorMark>): void {
    this.#answer = null;
    const last = this.#steps.last();
    if (last?.mark === mark && (mark === 'interrupted' || last.text === text)) return;
    this.#steps.add('system', moment, text).mark = mark;
  }

  #usage(payload: Fields): void {
    const step = this.#answered;
    this.#answer = null;
    if (step !== null && step.usage === null) step.usage = usageOf(fieldsIn(payload, 'usage'));
  }

  /** Sums are repeated whenever something changes; older files have nothing else. */
  #count(info: Fields): void {
    const step = this.#answered;
    const total = numberIn(fieldsIn(info, 'total_token_usage'), 'total_tokens');
    if (step === null || total === null) return;
    const news = total !== this.#total;
    this.#total = total;
    if (step.usage === null && news) step.usage = usageOf(fieldsIn(info, 'last_token_usage'));
    const windowMax = numberIn(info, 'model_context_window');
    if (step.usage !== null && windowMax !== null) step.usage = { ...step.usage, windowMax };
  }
}

function parentIn(meta: Fields): string | null {
  const spawn = fieldsIn(fieldsIn(fieldsIn(meta, 'source'), 'subagent'), 'thread_spawn');
  return textIn(meta, 'parent_thread_id') ?? textIn(spawn, 'parent_thread_id');
}

function markOf(kind: string | null, text: string): 'compaction' | 'interrupted' | 'context' {
  if (kind === summaryKind) return 'compaction';
  return kind === abortedKind || text.startsWith('<turn_aborted>') ? 'interrupted' : 'context';
}

/** Before items there was an event for each kind of call. */
function legacyItem(payload: Fields): Fields {
  const failed = payload['success'] === false;
  return {
    type: has(payload, 'changes') ? 'FileChange' : 'CommandExecution',
    id: payload['call_id'],
    exit_code: payload['exit_code'],
    changes: payload['changes'],
    command: payload['command'],
    cwd: payload['cwd'],
    aggregated_output: payload['aggregated_output'],
    stdout: payload['stdout'],
    status: failed ? 'failed' : payload['status'],
  };
}

function usageOf(figures: Fields): Usage | null {
  const named = {
    input: 'input_tokens',
    output: 'output_tokens',
    cached: 'cached_input_tokens',
    reasoning: 'reasoning_output_tokens',
    window: 'total_tokens',
  } as const;
  const found = Object.entries(named).flatMap(([name, native]) => {
    const figure = numberIn(figures, native);
    return figure === null ? [] : [[name, figure] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}
