/** Transcript → the records of a new session. Pure: ids and times are given. */
import { defined, filled } from '../../core/base/defined.ts';
import type { Omission, Result, Step, Transcript } from '../../core/transcript/step.ts';
import { calledByModel } from '../../core/transcript/called-by-model.ts';
import { unansweredCall } from '../../core/transcript/unanswered.ts';
import { asRead } from './read/context.ts';
import { callText, type Exchange } from './exchange.ts';
import {
  agentSaid,
  answered,
  called,
  summary,
  taskComplete,
  taskStarted,
  userSaid,
  type NewRecord,
  type WrittenTurn,
} from './items.ts';
import { argumentsOf } from './read/schema.ts';
import { Losses } from './read/steps.ts';
import { nameFor, toOwnTool, type Mapped } from './tools.ts';

export interface ComposedSession {
  /** A UUID. */
  readonly id: string;
  readonly folder: string;
  /** When it is written, in milliseconds. */
  readonly now: number;
  /** Of the program that will read it. */
  readonly version?: string;
  /** Who serves the model, by its name in the program's settings: without one the program refuses to show the session. */
  readonly provider: string;
}

export interface Composed {
  readonly text: string;
  /** What a reader must find in it. */
  readonly expected: readonly Exchange[];
  readonly omissions: readonly Omission[];
}

/** The version whose files these are like. */
const versionWritten = '0.166.0';
/** A record has at most 16 MiB, and a character at most six bytes in it. No model takes as much in one message. */
const textCharsMax = 2 * 1024 * 1024;
const interrupted = '[interrupted: the session ended before this call had a result]';

export function compose(transcript: Transcript, session: ComposedSession): Composed {
  const composer = new Composer(session);
  composer.meta(transcript);
  for (const step of transcript.steps) composer.step(calledByModel(step));
  return composer.done();
}

class Composer {
  readonly #session: ComposedSession;
  readonly #losses = new Losses();
  readonly #lines: string[] = [];
  readonly #expected: Exchange[] = [];
  readonly #ids = new Set<string>();
  #at: number;
  #turns = 0;
  #things = 0;
  #turn: WrittenTurn | null = null;
  #last: string | null = null;

  constructor(session: ComposedSession) {
    this.#session = session;
    this.#at = session.now;
  }

  meta({ facts }: Transcript): void {
    const { id, folder, now, provider, version = versionWritten } = this.#session;
    const git = {
      ...filled({ commit_hash: facts.commit, branch: facts.branch }),
    };
    this.#write({
      type: 'session_meta',
      payload: {
        session_id: id,
        id,
        timestamp: new Date(now).toISOString(),
        cwd: folder,
        originator: 'staffetta',
        cli_version: version,
        // Sessions from other sources are not offered where one picks a session to resume.
        source: 'cli',
        thread_source: 'user',
        model_provider: provider,
        history_mode: 'paginated',
        ...(Object.keys(git).length === 0 ? {} : { git }),
      },
    });
  }

  step(step: Step): void {
    this.#at = isTime(step.at) ? step.at : this.#at;
    if (step.reasoning !== undefined)
      this.#losses.add('reasoning', 'reasoning without its signature is not taken');
    if (step.aside !== undefined) {
      this.#losses.add(step.aside, 'the model did not see it any more');
    } else if (step.source === 'user') this.#user(this.#text(step.text));
    else if (step.source === 'agent') this.#agent(step);
    else this.#system(step);
  }

  done(): Composed {
    this.#endTurn();
    return { text: this.#lines.join(''), expected: this.#expected, omissions: this.#losses.list() };
  }

  #user(text: string): void {
    if (text === '') return this.#losses.add('empty', 'a message without text says nothing');
    this.#endTurn();
    this.#write(...userSaid(this.#beginTurn(), text, this.#id('item')));
    const words = asRead(text);
    if (words !== text)
      this.#losses.add('user-words', 'words like those of an editor are read as the editor’s later on');
    if (words !== '') this.#expected.push({ what: 'user', text: words });
  }

  #agent(step: Step): void {
    const turn = this.#beginTurn();
    const text = this.#text(step.text);
    if (text !== '') {
      this.#write(...agentSaid(turn, text, this.#id('msg')));
      this.#expected.push({ what: 'agent', text });
      this.#last = text;
    }
    const answers: (() => void)[] = [];
    const results = new Map((step.results ?? []).map((result) => [result.call, result]));
    for (const call of step.calls ?? []) {
      const mapped = this.#fitting(toOwnTool(call));
      const id = this.#callId(call.id);
      if (mapped.dropped > 0)
        this.#losses.add('call-option', 'the own tool has no such option', mapped.dropped);
      if (call.subagent !== undefined) this.#losses.add('subagent', 'its own session is not carried over');
      this.#write(called(id, mapped));
      this.#expected.push({ what: 'call', text: callText(mapped.tool, mapped.args, mapped.raw) });
      const found = results.get(call.id) ?? this.#missing(call.id);
      const result = { ...found, text: this.#text(found.text) };
      answers.push(() => {
        for (const kind of result.other ?? []) this.#losses.add(kind.split(':')[0] ?? kind, 'it is no text');
        this.#write(...answered(turn, id, { mapped, result }));
        const { text, failed, exit } = result;
        this.#expected.push({ what: 'result', text, failed, ...defined({ exit }) });
      });
    }
    for (const answer of answers) answer();
  }

  #system(step: Step): void {
    if (step.mark === 'compaction' && step.text !== '') {
      this.#endTurn();
      const text = this.#text(step.text);
      this.#write(summary(this.#turnId(), text));
      this.#expected.push({ what: 'summary', text });
    } else if (step.mark === undefined || step.mark === 'context') {
      this.#losses.add('context', 'the program adds its own');
    } else this.#losses.add(step.mark, 'what happened to a session is no part of the next one');
  }

  /** As a file can hold it: whole characters, and not too many. */
  #text(text: string): string {
    const fitting = text.toWellFormed();
    if (fitting.length <= textCharsMax) return fitting;
    this.#losses.add('text-cut', 'a message has at most two million characters');
    const kept = fitting.slice(0, textCharsMax).toWellFormed();
    return `${kept}\n[cut here: ${fitting.length - textCharsMax} characters are left out]`;
  }

  /** Arguments that nest too deeply or are too long are written as text. */
  #fitting(mapped: Mapped): Mapped {
    const { args, raw } = mapped.raw === undefined ? argumentsOf(mapped.args) : mapped;
    const text = raw ?? JSON.stringify(args);
    if (raw === undefined && text.length <= textCharsMax) return { ...mapped, args };
    return { ...mapped, args: {}, raw: this.#text(text) };
  }

  #missing(call: string): Result {
    this.#losses.add(unansweredCall.kind, unansweredCall.why);
    return { call, text: interrupted, failed: true };
  }

  #beginTurn(): WrittenTurn {
    if (this.#turn === null) {
      const { id, folder } = this.#session;
      this.#turn = { thread: id, turn: this.#turnId(), folder, at: this.#at };
      this.#write(taskStarted(this.#turn));
    }
    return { ...this.#turn, at: this.#at };
  }

  #endTurn(): void {
    if (this.#turn !== null) this.#write(taskComplete(this.#turn, this.#last));
    this.#turn = null;
    this.#last = null;
  }

  #turnId(): string {
    return `${this.#session.id.slice(0, 24)}${(++this.#turns).toString(16).padStart(12, '0')}`;
  }

  #id(kind: string): string {
    return `${kind}_${this.#session.id.replaceAll('-', '')}_${++this.#things}`;
  }

  /** As it was, if the service takes it; one that is there already gets a number. */
  #callId(native: string): string {
    const wished = nameFor(native).slice(0, 56);
    let id = wished;
    for (let count = 2; this.#ids.has(id); count++) id = `${wished}-${count}`;
    this.#ids.add(id);
    return id;
  }

  #write(...records: readonly NewRecord[]): void {
    for (const { type, payload } of records) {
      const timestamp = new Date(this.#at).toISOString();
      this.#lines.push(`${JSON.stringify({ timestamp, ordinal: this.#lines.length, type, payload })}\n`);
    }
  }
}

function isTime(at: number | null): at is number {
  return at !== null && at >= 0 && at < 8.64e15;
}
