/**
 * The log folded into steps. A step gets its number when its text is first seen and keeps it: the log only grows, so every
 * reading of a longer log numbers its beginning alike (RT6). What the operations do to steps that have a number:
 *
 *   a message again       more text, calls and results are added to its step; a different text is a step of its own at the end, and
 *                         the old one is set aside as `rewritten`
 *   `$set.messages`       what is not in the new list is set aside, as `compacted` where a summary took its place and else as
 *                         `rewritten`. The kept tail of a compaction comes under new ids: a message that says the same, with the
 *                         same calls, as one that would be dropped is that one
 *   `$rewindTo`           what is taken back is set aside as `branch-left`
 *
 * What comes back is no longer aside. A result is kept as it was first recorded, unless its own call is recorded anew: a rewritten
 * history may hold a shortened one.
 */
import type { Aside, Omission, Result } from '../../../core/transcript/step.ts';
import type { StepDraft } from './draft.ts';
import { answer, draftOf, grows, likeness, likenessOf, sourceOf } from './draft.ts';
import type { Message, Utterance, Voice } from './message.ts';
import type { Tally } from '../../../core/transcript/tally.ts';
import type { CallSeen } from './tool-call.ts';
import { thanks } from './user-text.ts';

interface CallPlace {
  /** As our steps name it: where a program used an id twice, the second is told apart. */
  readonly id: string;
  readonly draft: StepDraft;
}

interface Entry {
  /** Its latest step in each voice. */
  readonly voices: Map<Voice, StepDraft>;
  /** Steps with calls whose text was replaced: the calls still stand. */
  readonly held: StepDraft[];
  /** Null for none: most messages have none. */
  calls: Map<string, CallPlace> | null;
  losses: Map<string, Omission> | null;
  /** What the program said in a voice that is not its own. */
  part: 'summary' | 'thanks' | null;
  dropped: boolean;
}

export class Ledger {
  readonly drafts: StepDraft[] = [];
  readonly #entries = new Map<string, Entry>();
  /** The list as the program has it, in its order. */
  #live = new Map<string, Entry>();
  readonly #calls = new Map<string, CallPlace[]>();
  readonly #early = new Map<string, Result>();
  #summaries = 0;

  put(message: Message, record: number): void {
    this.#put(message, record, false);
  }

  replace(messages: readonly Message[], record: number): void {
    const before = this.#live;
    const summaries = this.#summaries;
    this.#adopt(messages);
    this.#live = new Map();
    for (const message of messages) this.#put(message, record, true);
    const kept = new Set(this.#live.values());
    const dropped = [...before.values()].filter((entry) => !kept.has(entry));
    setAside(dropped, this.#summaries > summaries ? 'compacted' : 'rewritten');
  }

  rewind(to: string): void {
    const ids = [...this.#live.keys()];
    const target = this.#entries.get(to);
    const from = ids.findIndex((id) => this.#live.get(id) === target);
    const left = ids.slice(Math.max(from, 0));
    setAside(
      left.flatMap((id) => this.#live.get(id) ?? []),
      'branch-left',
    );
    for (const id of left) this.#live.delete(id);
  }

  losses(tally: Tally): void {
    for (const entry of new Set(this.#entries.values()))
      for (const { kind, count, why } of entry.losses?.values() ?? []) tally.add(kind, why, count);
    if (this.#early.size > 0)
      tally.add('result-without-call', 'the call that a result answers was never recorded', this.#early.size);
  }

  #put(message: Message, record: number, rewritten: boolean): void {
    const entry = this.#entries.get(message.id) ?? this.#enter(message.id);
    this.#cast(entry, message);
    this.#live.set(message.id, entry);
    const utterances =
      entry.part === null ? message.utterances : message.utterances.map((said) => recast(said, entry.part));
    for (const said of utterances) this.#say(entry, said, message, record);
    settle(entry, utterances);
    const agent = entry.voices.get('agent');
    if (agent !== undefined) this.#describe(agent, message, rewritten);
    for (const seen of message.calls) this.#call(entry, seen, rewritten);
    for (const response of message.responses) this.#answer(response);
    for (const loss of message.losses) {
      entry.losses ??= new Map();
      if (loss.count > (entry.losses.get(loss.kind)?.count ?? 0)) entry.losses.set(loss.kind, loss);
    }
  }

  #enter(id: string): Entry {
    const entry: Entry = {
      voices: new Map(),
      held: [],
      calls: null,
      losses: null,
      part: null,
      dropped: false,
    };
    this.#entries.set(id, entry);
    return entry;
  }

  /** Finds what the program speaks in others' voices; the summary is known for certain only by the thanks that follow it. */
  #cast(entry: Entry, message: Message): void {
    if (entry.part !== null || entry.voices.size > 0) return;
    const [said] = message.utterances;
    if (said?.voice === 'user' && isSnapshot(said)) this.#summarize(entry);
    if (said?.voice !== 'agent' || said.text !== thanks) return;
    if (message.model !== null || message.usage !== null || message.calls.length > 0) return;
    const last = [...this.#live.values()].at(-1);
    if (last === undefined || (last.part === null && !last.voices.has('user'))) return;
    entry.part = 'thanks';
    if (last.part === null) this.#summarize(last);
  }

  #summarize(entry: Entry): void {
    entry.part = 'summary';
    this.#summaries += 1;
    const draft = entry.voices.get('user');
    if (draft === undefined) return;
    entry.voices.delete('user');
    entry.voices.set('notice', draft);
    draft.source = sourceOf.notice;
    draft.mark = 'compaction';
  }

  #say(entry: Entry, said: Utterance, message: Message, record: number): void {
    const known = entry.voices.get(said.voice);
    if (known !== undefined && grows(known.text, said.text)) {
      if (said.text !== '') known.text = said.text;
      return;
    }
    if (known !== undefined && known.calls.length > 0) entry.held.push(known);
    else if (known !== undefined) known.aside = 'rewritten';
    const draft = draftOf(this.drafts.length + 1, record, message, said);
    this.drafts.push(draft);
    entry.voices.set(said.voice, draft);
  }

  #describe(draft: StepDraft, message: Message, rewritten: boolean): void {
    if (message.reasoning !== '' && (draft.reasoning === '' || !rewritten))
      draft.reasoning = message.reasoning;
    draft.model = message.model ?? draft.model;
    draft.usage = message.usage ?? draft.usage;
  }

  #call(entry: Entry, seen: CallSeen, rewritten: boolean): void {
    const named = seen.call.id;
    const known = entry.calls?.get(named);
    const place = known ?? this.#place(entry, seen);
    if (place === null) return;
    if (known !== undefined && seen.call.subagent !== undefined) {
      const i = place.draft.calls.findIndex(({ id }) => id === place.id);
      place.draft.calls[i] = { ...seen.call, id: place.id };
    }
    const answered = place.draft.results.has(place.id);
    if (seen.result !== null && !(answered && rewritten))
      answer(place.draft, place.id, { ...seen.result, call: place.id });
  }

  #place(entry: Entry, { call }: CallSeen): CallPlace | null {
    const draft = entry.voices.get('agent');
    if (draft === undefined) return null;
    const places = this.#calls.get(call.id) ?? [];
    const id = places.length === 0 ? call.id : this.#free(call.id, places.length + 1);
    const place = { id, draft };
    places.push(place);
    this.#calls.set(call.id, places);
    entry.calls ??= new Map();
    entry.calls.set(call.id, place);
    draft.calls.push({ ...call, id });
    const early = this.#early.get(call.id);
    if (early !== undefined) answer(draft, id, { ...early, call: id });
    this.#early.delete(call.id);
    return place;
  }

  #free(id: string, from: number): string {
    for (let n = from; ; n += 1) {
      const candidate = `${id}#${n}`;
      if (!this.#calls.has(candidate)) {
        this.#calls.set(candidate, []);
        return candidate;
      }
    }
  }

  #answer(response: Result): void {
    const places = this.#calls.get(response.call) ?? [];
    if (places.length === 0) {
      if (!this.#early.has(response.call)) this.#early.set(response.call, response);
      return;
    }
    const open = places.findLast(({ id, draft }) => !draft.results.has(id));
    if (open !== undefined) answer(open.draft, open.id, { ...response, call: open.id });
  }

  /** Gives messages under new ids to the entries that say the same and would otherwise be dropped. */
  #adopt(messages: readonly Message[]): void {
    const fresh = messages.filter(({ id, utterances }) => utterances.length > 0 && !this.#entries.has(id));
    if (fresh.length === 0) return;
    const named = new Set(messages.flatMap(({ id }) => this.#entries.get(id) ?? []));
    const lost = new Map<string, Entry[]>();
    for (const entry of this.#live.values()) {
      if (named.has(entry)) continue;
      const like = likenessOfEntry(entry);
      const same = lost.get(like);
      if (same === undefined) lost.set(like, [entry]);
      else same.push(entry);
    }
    for (const message of fresh) {
      const entry = lost.get(likenessOf(message))?.shift();
      if (entry !== undefined) this.#entries.set(message.id, entry);
    }
  }
}

function isSnapshot({ text, guarded }: Utterance): boolean {
  return guarded !== true && text.trimStart().startsWith('<state_snapshot>');
}

function recast(said: Utterance, part: Entry['part']): Utterance {
  if (part === 'summary' && said.voice === 'user')
    return { voice: 'notice', text: said.text, mark: 'compaction' };
  if (part === 'thanks' && said.voice === 'agent')
    return { voice: 'notice', text: said.text, mark: 'context' };
  return said;
}

/** A message stands in the list: what it says is not aside, and what it no longer says is. */
function settle(entry: Entry, utterances: readonly Utterance[]): void {
  for (const [voice, draft] of entry.voices) {
    const isSpoken = draft.calls.length > 0 || utterances.some((said) => said.voice === voice);
    draft.aside = isSpoken ? null : 'rewritten';
  }
  if (entry.dropped) for (const draft of entry.held) draft.aside = null;
  entry.dropped = false;
}

/** The program's notices were never the model's to see, so a new history without them takes nothing away. */
function setAside(entries: readonly Entry[], aside: Aside): void {
  for (const entry of entries) {
    entry.dropped = true;
    for (const [voice, draft] of entry.voices)
      if (voice !== 'notice' || entry.part !== null) draft.aside ??= aside;
    for (const draft of entry.held) draft.aside ??= aside;
  }
}

function likenessOfEntry(entry: Entry): string {
  return likeness(
    [...entry.voices].map(([voice, draft]) => [voice, draft.text] as const),
    entry.calls?.keys() ?? [],
  );
}
