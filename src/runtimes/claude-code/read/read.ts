/**
 * Records of a session → transcript, in one pass (RT5, RT6, RT7). Steps are numbered in the order of the file and not of the tree, so
 * that they keep their numbers when a branch is left; what the model does not see any more says so in `aside`.
 *
 * A message of the model comes as one record for each block, all with the same id and the same usage, which counts once. The program
 * gives a result in a user's name; it belongs to the step of its call. A compaction is one step: its text is the summary.
 */
import type { Aside, Transcript, Usage } from '../../../core/transcript/step.ts';
import { Calls } from './calls.ts';
import { draft, Losses, stepOf, type StepDraft, type NewDraft } from './drafts.ts';
import { Facts } from './facts.ts';
import {
  blocks,
  count,
  flag,
  isThere,
  list,
  notes,
  part,
  recordOf,
  strangeIn,
  text,
  texts,
  time,
  type Fields,
} from './schema.ts';
import type { Skimmed } from './skim.ts';
import { Queue } from './queue.ts';
import { isOfOtherAgent, Tree, type SeenRecords } from './tree.ts';
import { isCommandOutput, markOfError, saidBy, type Said } from './words.ts';

export function read(records: Iterable<Uint8Array>): Transcript {
  const reader = new RecordReader();
  let place = 0;
  for (const bytes of records) {
    reader.take(bytes, place);
    place += 1;
  }
  return reader.transcript();
}

/** A record in its place in the conversation. */
interface Entry {
  readonly record: Fields;
  readonly node: number;
  readonly place: number;
}

const listings: ReadonlySet<string> = new Set([
  'skill_listing',
  'agent_listing_delta',
  'deferred_tools_delta',
  'mcp_instructions_delta',
  'prompt_snapshot',
]);
const madeUp = '<synthetic>';
/** Stands for messages that were passed. */
const unread: StepDraft = draft({ source: 'agent', at: null, record: -1 }, -1, []);

export class RecordReader {
  readonly #tree = new Tree();
  readonly #facts = new Facts();
  readonly #losses = new Losses();
  readonly #calls = new Calls();
  readonly #drafts: StepDraft[] = [];
  readonly #queue = new Queue();
  /** Steps of what came out of the queue, by their words: an attachment may yet have them. */
  readonly #unqueued = new Map<string, StepDraft[]>();
  /** By node: what a person or the model said there, or last before. */
  readonly #saidAt: (StepDraft | null)[] = [];
  readonly #messages = new Map<string, StepDraft>();
  #sidechain: boolean | null = null;
  readonly #unsure = new Set<number>();
  #isAfterUnread = false;

  take(bytes: Uint8Array, place: number): void {
    this.takeRecord(recordOf(bytes), place);
  }

  /** Null for a line that is no record. */
  takeRecord(record: Fields | null, place: number): void {
    if (record === null) return this.#losses.add('unreadable-record');
    this.#facts.take(record);
    const uuid = text(record, 'uuid');
    const type = text(record, 'type') ?? '';
    if (uuid === null) {
      if (type === 'queue-operation') this.#fromQueue(record, place);
      else if (!notes.has(type)) this.#losses.add('unknown-record');
      return;
    }
    this.#sidechain ??= flag(record, 'isSidechain');
    if (isOfOtherAgent(record, this.#sidechain)) return this.#losses.add('subagent-inline');
    const node = this.#grow(uuid, record);
    if (node === null) return this.#losses.add('repeated-record');
    this.#speak(type, { record, node, place });
  }

  #fromQueue(record: Fields, place: number): void {
    const given = this.#queue.take(record);
    const words = given === null ? '' : personsWords(saidBy({}, given));
    if (given === null || words === '') return;
    const at = time(record, 'timestamp');
    const belongs = this.#saidAt.at(-1) ?? null;
    const step = draft({ source: 'user', at, record: place, belongs }, null, [words]);
    this.#drafts.push(step);
    const same = this.#unqueued.get(words);
    if (same === undefined) this.#unqueued.set(words, [step]);
    else same.push(step);
  }

  #grow(uuid: string, record: Fields): number | null {
    const node = this.#tree.add(uuid, record);
    if (node !== null) this.#saidAt[node] = this.#saidAt[this.#tree.parent(node)] ?? null;
    return node;
  }

  /** A record of the conversation of which only the place matters. No step is made, and results are not looked for. */
  pass(skimmed: Skimmed): void {
    this.#sidechain ??= skimmed.isSidechain;
    if (isOfOtherAgent(skimmed, this.#sidechain)) return this.#losses.add('subagent-inline');
    const node = this.#grow(skimmed.uuid, skimmed);
    if (node === null) return this.#losses.add('repeated-record');
    if (skimmed.type !== 'assistant') return;
    this.#saidAt[node] = unread;
    this.#isAfterUnread = true;
  }

  /** Whether the step that began at this record may go on with a message that was passed. */
  isUnsure(place: number): boolean {
    return this.#unsure.has(place);
  }

  #speak(type: string, entry: Entry): void {
    if (type === 'assistant') this.#assistant(entry);
    else if (type === 'user') this.#user(entry);
    else if (type === 'attachment') this.#attachment(entry);
    else if (type === 'system') this.#system(entry);
    else if (!notes.has(type)) this.#losses.add('unknown-record');
  }

  #begin(entry: Entry, of: Omit<NewDraft, 'at' | 'record'>, words: readonly string[]): StepDraft {
    const at = time(entry.record, 'timestamp');
    const isContext = of.source === 'system' && text(entry.record, 'type') !== 'assistant';
    const belongs = isContext ? (this.#saidAt[entry.node] ?? null) : null;
    const step = draft({ ...of, belongs, at, record: entry.place }, entry.node, words);
    this.#drafts.push(step);
    this.#isAfterUnread = false;
    if (of.source !== 'system') this.#saidAt[entry.node] = step;
    return step;
  }

  #assistant(entry: Entry): void {
    const message = part(entry.record, 'message');
    const model = text(message, 'model');
    if (flag(entry.record, 'isApiErrorMessage') || model === madeUp) return this.#inItsName(entry, message);
    if (model !== null) this.#facts.setModel(model);
    const step = this.#messageOf(entry, text(message, 'id'), model);
    step.usage = usageOf(part(message, 'usage'), text(entry.record, 'requestedModel')) ?? step.usage;
    this.#losses.add('unknown-content', strangeIn(message));
    const folder = this.#facts.elsewhere(entry.record);
    for (const block of blocks(message)) this.#block(step, block, folder);
  }

  /** What the program says in the model's place: errors, and a word between two turns of the user. */
  #inItsName(entry: Entry, message: Fields | null): void {
    const words = wordsOf(blocks(message));
    const isError = flag(entry.record, 'isApiErrorMessage');
    const mark = isError ? markOfError(entry.record, words.join('\n')) : 'resumed';
    this.#begin(entry, { source: 'system', mark }, words);
  }

  /** The step of a message, if this record goes on with it: ids are the service's, and one that comes back later is another message. */
  #messageOf(entry: Entry, id: string | null, model: string | null): StepDraft {
    const known = id === null ? undefined : this.#messages.get(id);
    const goesOn =
      known !== undefined && (this.#saidAt[entry.node] === known || this.#drafts.at(-1) === known);
    if (goesOn) {
      known.nodes.push(entry.node);
      this.#saidAt[entry.node] = known;
      return known;
    }
    if (this.#isAfterUnread || this.#saidAt[entry.node] === unread) this.#unsure.add(entry.place);
    const step = this.#begin(entry, { source: 'agent', model }, []);
    if (id !== null) this.#messages.set(id, step);
    return step;
  }

  #block(step: StepDraft, block: Fields, folder: string | null): void {
    const type = text(block, 'type');
    if (type === 'text') pushIfAny(step.texts, text(block, 'text'));
    else if (type === 'tool_use') this.#calls.call(step, block, { folder, losses: this.#losses });
    else if (type === 'thinking' && (text(block, 'thinking') ?? '') !== '')
      pushIfAny(step.reasoning, text(block, 'thinking'));
    else if (type === 'thinking' || type === 'redacted_thinking') this.#losses.add('reasoning-encrypted');
    else this.#lose(type);
  }

  #lose(type: string | null): void {
    this.#losses.add(type === 'image' || type === 'document' ? type : 'unknown-content');
  }

  #user(entry: Entry): void {
    const { record, node } = entry;
    const message = part(record, 'message');
    const content = blocks(message);
    this.#losses.add('unknown-content', strangeIn(message));
    const words: string[] = [];
    for (const block of content) {
      const type = text(block, 'type');
      if (type === 'text') words.push(text(block, 'text') ?? '');
      else if (type === 'tool_result') {
        // A tool that says nothing has a result without content.
        if (isThere(block, 'content')) this.#losses.add('unknown-content', strangeIn(block));
        this.#calls.result(node, block, record);
      } else this.#lose(type);
    }
    if (flag(record, 'isCompactSummary')) this.#summary(entry, words);
    else
      this.#say(
        entry,
        words.flatMap((each) => saidBy(record, each)),
      );
  }

  /** What the program put around the words of a person is a step of its own, before them. */
  #say(entry: Entry, said: readonly Said[]): void {
    for (const each of said.filter((one) => one.source === 'system' && one.text !== '')) {
      const asked = this.#saidAt[entry.node];
      if (asked?.source === 'user' && isCommandOutput(each.text)) asked.mark = 'command';
      this.#begin(entry, { source: 'system', mark: each.mark ?? 'context' }, [each.text]);
    }
    const words = personsWords(said);
    if (words === '') return;
    const known =
      text(entry.record, 'type') === 'attachment' ? this.#unqueued.get(words)?.shift() : undefined;
    if (known === undefined) {
      this.#queue.tell(words);
      const steers = said.every(({ source, mark }) => source === 'system' || mark === 'command');
      this.#begin(entry, { source: 'user', ...(steers ? { mark: 'command' } : {}) }, [words]);
      return;
    }
    known.nodes.push(entry.node);
    this.#saidAt[entry.node] = known;
  }

  #summary(entry: Entry, words: readonly string[]): void {
    const boundary = this.#drafts.at(-1);
    const parent = this.#tree.parent(entry.node);
    if (boundary?.mark === 'compaction' && boundary.nodes.length === 1 && boundary.nodes[0] === parent) {
      boundary.nodes.push(entry.node);
      boundary.texts.splice(0, boundary.texts.length, ...words);
      boundary.summary = 'compaction';
    } else this.#begin(entry, { source: 'system', mark: 'compaction', summary: 'compaction' }, words);
  }

  #attachment(entry: Entry): void {
    const about = part(entry.record, 'attachment');
    const type = text(about, 'type') ?? '';
    if (listings.has(type)) return this.#losses.add('tool-listing');
    if (type === 'queued_command' && isTyped(about)) return this.#say(entry, queued(about));
    const words = contextOf(entry.record, about);
    if (words.length > 0) this.#begin(entry, { source: 'system', mark: 'context' }, words);
    // A hook that said nothing is recorded as well.
    else if (!type.startsWith('hook_')) this.#losses.add('context-unrendered');
  }

  #system(entry: Entry): void {
    const { record } = entry;
    const subtype = text(record, 'subtype');
    const words = text(record, 'content');
    if (subtype === 'compact_boundary')
      this.#begin(entry, { source: 'system', mark: 'compaction' }, words === null ? [] : [words]);
    else if (subtype === 'api_error') {
      const error = part(record, 'error');
      const said = text(error, 'formatted') ?? text(error, 'message') ?? words ?? 'API error';
      this.#begin(entry, { source: 'system', mark: markOfError(record, said) }, [said]);
    } else if (subtype === 'stop_hook_summary') {
      const said = [...texts(record, 'hookErrors'), ...texts(record, 'hookAdditionalContext')];
      if (said.length > 0) this.#begin(entry, { source: 'system', mark: 'context' }, said);
    } else if (words !== null && words !== '') {
      // Recaps, banners, notices, output of commands: whatever it says, the program wrote the record in its own name.
      const recap = subtype === 'away_summary' ? ({ summary: 'recap' } as const) : {};
      this.#begin(entry, { source: 'system', mark: 'context', ...recap }, [words]);
    }
  }

  transcript(): Transcript {
    const seen = this.#tree.seen();
    const asides = new Map<StepDraft, Aside | null>();
    const steps = this.#drafts.map((each, index) => {
      const aside = asideOf(each, seen, asides);
      asides.set(each, aside);
      const results = this.#calls.resultsOf(each, (node) => seen(node) === 'seen', this.#losses);
      return stepOf(each, index + 1, results, aside);
    });
    this.#losses.add('orphan-result', this.#calls.orphans());
    const unanswered = steps
      .filter((step) => step.aside === undefined)
      .flatMap((step) =>
        (step.calls ?? []).filter((call) => !step.results?.some(({ call: id }) => id === call.id)),
      );
    const facts = this.#facts.facts(this.#sidechain === true);
    return { facts, steps, omissions: this.#losses.omissions(), unanswered };
  }
}

/** What the program said belongs to what was said before it: results of calls made at once stand on branches of their own. */
function asideOf(
  of: StepDraft,
  seen: (node: number) => SeenRecords,
  asides: ReadonlyMap<StepDraft, Aside | null>,
): Aside | null {
  if (of.nodes.length === 0) return of.belongs === null ? null : (asides.get(of.belongs) ?? null);
  const states = new Set(of.nodes.map(seen));
  if (states.has('seen')) return null;
  if (states.has('compacted')) return 'compacted';
  if (of.belongs !== null) return asides.get(of.belongs) ?? null;
  return 'branch-left';
}

/** `input` counts what came from the cache, as other programs do. */
/** A model that was asked for with a large window says so in its name; in the answer it does not. */
const largeWindow = 1_000_000;

function usageOf(usage: Fields | null, requested: string | null): Usage | null {
  const fresh = count(usage, 'input_tokens');
  const output = count(usage, 'output_tokens');
  if (fresh === null && output === null) return null;
  const cached = count(usage, 'cache_read_input_tokens') ?? 0;
  const input = (fresh ?? 0) + cached + (count(usage, 'cache_creation_input_tokens') ?? 0);
  const reasoning = count(part(usage, 'output_tokens_details'), 'thinking_tokens');
  return {
    input,
    output: output ?? 0,
    cached,
    ...(reasoning === null || reasoning === 0 ? {} : { reasoning }),
    window: input + (output ?? 0),
    ...(requested?.endsWith('[1m]') === true ? { windowMax: largeWindow } : {}),
  };
}

function wordsOf(content: readonly Fields[]): string[] {
  return content.map((block) => text(block, 'text') ?? '').filter((each) => each !== '');
}

/** The text that was sent, else what the program kept of it. */
function contextOf(record: Fields, about: Fields | null): string[] {
  const sent = list(record, 'rendered').flatMap((each) => wordsOf(blocks(each as Fields)));
  if (sent.length > 0) return sent;
  const kept = [text(about, 'content') ?? text(about, 'text') ?? '', ...texts(about, 'content')];
  return kept.filter((each) => each !== '');
}

/** What a person typed while the model was at work waits in an attachment. */
function isTyped(about: Fields | null): boolean {
  const origin = text(part(about, 'origin'), 'kind');
  const mode = text(about, 'commandMode');
  return (
    !flag(about, 'isMeta') && (origin === null || origin === 'human') && (mode === null || mode === 'prompt')
  );
}

function queued(about: Fields | null): Said[] {
  const whole = text(about, 'prompt');
  const words = whole === null ? wordsOf(list(about, 'prompt') as Fields[]) : [whole];
  return words.flatMap((each) => saidBy({}, each));
}

function personsWords(said: readonly Said[]): string {
  const words = said.filter((one) => one.source === 'user').map((one) => one.text);
  return words.every((each) => each === '') ? '' : words.join('\n');
}

function pushIfAny(to: string[], words: string | null): void {
  if (words !== null && words !== '') to.push(words);
}
