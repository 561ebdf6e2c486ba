/** Records to transcript: pure, and tolerant of everything a file can hold. */
import { sha256Hex } from '../../../core/journal/sha256.ts';
import { bareFacts } from '../../../core/transcript/bare-facts.ts';
import type { ToolCall, SessionFacts, Transcript } from '../../../core/transcript/step.ts';
import type { StepDraft } from './draft.ts';
import { stepOf } from './draft.ts';
import { Ledger } from './ledger.ts';
import type { Message } from './message.ts';
import { messageOf } from './message.ts';
import type { Fields } from '../../../core/transcript/loose-json.ts';
import type { RecordOperation } from './schema.ts';
import { listIn, textIn, timeIn } from '../../../core/transcript/loose-json.ts';
import { operationOf } from './schema.ts';
import { Tally } from '../../../core/transcript/tally.ts';

export function read(records: Iterable<Uint8Array>): Transcript {
  const reading = new Reading();
  let record = 0;
  for (const bytes of records) {
    reading.apply(operationOf(bytes), record);
    record += 1;
  }
  return reading.transcript();
}

class Reading {
  readonly #ledger = new Ledger();
  readonly #tally = new Tally();
  readonly #facts: { -readonly [K in keyof SessionFacts]: SessionFacts[K] } = bareFacts('gemini-cli');
  #projectHash: string | null = null;
  #folders = new Set<string>();

  apply(operation: RecordOperation, record: number): void {
    switch (operation.op) {
      case 'header':
        this.#note(operation.fields);
        for (const message of this.#messages(operation.messages)) this.#ledger.put(message, record);
        return;
      case 'set':
        this.#note(operation.fields);
        if (operation.messages !== null) this.#ledger.replace(this.#messages(operation.messages), record);
        return;
      case 'rewind':
        this.#ledger.rewind(operation.to);
        return;
      case 'message':
        for (const message of this.#messages([operation.fields])) this.#ledger.put(message, record);
        return;
      case 'unknown':
        this.#tally.add('record-unknown', 'a record of a kind this version does not know');
        return;
      case 'unreadable':
        this.#tally.add('record-unreadable', 'a line that is no JSON, as a torn write leaves it');
        return;
    }
  }

  transcript(): Transcript {
    const drafts = this.#ledger.drafts;
    this.#ledger.losses(this.#tally);
    const live = drafts.filter(({ aside }) => aside === null);
    return {
      facts: {
        ...this.#facts,
        model: drafts.findLast(({ model }) => model !== null)?.model ?? null,
        folder: this.#folder(),
      },
      steps: drafts.map(stepOf),
      omissions: this.#tally.omissions(),
      unanswered: unanswered(live),
    };
  }

  #messages(values: readonly unknown[]): Message[] {
    return values.flatMap((value) => {
      const message = messageOf(value);
      if (message === null) {
        this.#tally.add('message-unknown', 'a message of an unknown type, or without an id');
        return [];
      }
      for (const said of message.utterances) if (said.voice === 'context') this.#lookForFolder(said.text);
      return [message];
    });
  }

  #note(fields: Fields): void {
    this.#facts.session = textIn(fields, 'sessionId') ?? this.#facts.session;
    this.#facts.startedAt ??= timeIn(fields, 'startTime');
    this.#facts.title = textIn(fields, 'summary') ?? this.#facts.title;
    this.#projectHash = textIn(fields, 'projectHash') ?? this.#projectHash;
    for (const folder of listIn(fields, 'directories') ?? [])
      if (typeof folder === 'string') this.#folders.add(folder);
  }

  /** The header has the folder as a hash only; its name stands in the context that the model was given. */
  #lookForFolder(context: string): void {
    const start = context.indexOf('**Workspace Directories:**');
    if (start === -1) return;
    const lines = context.slice(start, start + 8192).split('\n');
    for (const line of lines.slice(1)) {
      if (!line.startsWith('  - ')) return;
      this.#folders.add(line.slice(4));
    }
  }

  #folder(): string | null {
    return [...this.#folders].find((folder) => sha256Hex(folder) === this.#projectHash) ?? null;
  }
}

/** The program records a call with its result, or not at all; one without is from a resumed session or from another version. */
function unanswered(live: readonly StepDraft[]): ToolCall[] {
  const last = live.findLast(({ source }) => source === 'agent');
  return last?.calls.filter(({ id }) => !last.results.has(id)) ?? [];
}
