/** What can be read of tasks, by anyone who can open the store. */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { toAiSdk } from '../core/formats/to-ai-sdk.ts';
import { messageShapes, toChat, type ChatMessages, type MessageShape } from '../core/formats/to-chat.ts';
import type { Entry } from '../core/journal/entry.ts';
import { openEntry } from '../core/journal/sealed.ts';
import type { Digest } from '../core/journal/digest.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Finding } from '../core/gate/finding.ts';
import type { Packet } from '../core/packet/packet.ts';
import { checkShape } from '../core/base/shape.ts';
import type { Contract } from '../core/contract/contract.ts';
import { shownCard, type TaskState } from '../core/task/state.ts';
import { totalled, type Story } from '../core/transcript/story.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { keptStates, type KeptState } from '../handoff/history/kept-states.ts';
import * as reading from '../handoff/history/history.ts';
import { readersOf, readStory } from '../handoff/history/story.ts';
import { timeline, type TimelineLeg } from '../handoff/history/timeline.ts';
import type { Context } from '../handoff/record/context.ts';
import { load, pageSize, resolveTask } from '../handoff/record/load.ts';
import { readFindings } from '../handoff/sealing/findings.ts';
import { briefTask } from '../handoff/views/brief.ts';
import { verifyStore, verifyTask, type Verification } from '../handoff/trust/verify.ts';
import { phases, type PhaseView } from '../handoff/verbs/phase.ts';
import type { CardPage, CardQuery } from '../ports/journal.ts';
import { pauseBetweenLooks, type Store } from '../ports/store.ts';
import * as options from './verb-options.ts';

export interface TaskLook extends TaskState {
  readonly leaseUntil: number | null;
}

export interface BriefingAsked {
  readonly budget?: number;
  /** The program or the model that will read it. */
  readonly for?: string;
  readonly goal?: string;
}

export interface EventsAsked {
  /** The position of the last one that was seen; 0 for all. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export interface StoreEvent {
  readonly position: number;
  readonly task: TaskId;
  readonly entry: Entry;
}

const pollMs = 250;

export class Looks {
  readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  get store(): Store {
    return this.context.store;
  }

  /** The contract's phases in order, with what became of each. */
  async phases(task: string): Promise<readonly PhaseView[]> {
    return await phases(this.context, await this.resolve(task));
  }

  /** What the gate found when the latest packet was sealed. */
  async findings(task: string): Promise<readonly Finding[]> {
    const { state } = await load(this.context, await this.resolve(task));
    return await readFindings(this.context, state.sealed?.findings ?? null);
  }

  /** One task, or the whole store. */
  async verify(task?: string): Promise<Verification> {
    return task === undefined
      ? await verifyStore(this.context)
      : await verifyTask(this.context, await this.resolve(task));
  }

  async show(task: string): Promise<TaskLook> {
    const { state, lease } = await load(this.context, await this.resolve(task));
    return { ...state, leaseUntil: lease?.until ?? null };
  }

  async list(query: Partial<CardQuery> = {}): Promise<CardPage> {
    checkShape('list', query as CardQuery, options.listShape);
    options.checkQuery(query);
    const page = await this.context.store.catalog.list({ limit: 50, ...query });
    return { ...page, cards: page.cards.map(shownCard) };
  }

  async timeline(task: string): Promise<TimelineLeg[]> {
    return await timeline(this.context, await this.resolve(task));
  }

  history(task: string): AsyncGenerator<reading.HistoryItem> {
    return reading.history(this.context, task);
  }

  /** The reasoning of all legs as one story, whatever programs they ran in. All of it is held in memory. */
  async story(task: string): Promise<Story> {
    const readers = readersOf(await loadRuntimes(process.env));
    return await readStory(this.context, await resolveTask(this.context, task), readers);
  }

  /** The reasoning of all legs as messages, for a model that goes on: as OpenAI, LangChain or the AI SDK takes them. */
  async messages(task: string, shape: MessageShape | 'ai-sdk'): Promise<ChatMessages> {
    if (shape !== 'ai-sdk' && !messageShapes.includes(shape))
      throw new StaffettaError('invalid-input', `messages: there is no shape ${JSON.stringify(shape)}.`, {
        hint: `There are: ai-sdk, ${messageShapes.join(', ')}`,
      });
    const story = await this.story(task);
    const { messages, omissions } =
      shape === 'ai-sdk' ? toAiSdk(story, { answered: true }) : toChat(story, shape);
    const unread = story.sessions.flatMap((session) => session.omissions);
    return {
      messages: messages.map((message) => ({ ...message })),
      omissions: totalled([...unread, ...omissions]),
    };
  }

  /** What the next agent has to know, as `staffetta brief` prints it: for a program or a model, within so many tokens. */
  async briefing(task: string, given: BriefingAsked = {}): Promise<string> {
    checkShape('briefing', given, options.briefingShape);
    const { budget = limits.briefingTokensDefault, goal, for: target } = given;
    options.checkBudget(budget);
    const id = await this.resolve(task);
    const runtimes = await loadRuntimes(process.env);
    const { loadCounter } = await import('../core/tokens/count.ts');
    const { prompt } = await briefTask(this.context, id, {
      readerOf: readersOf(runtimes),
      count: await loadCounter(target),
      budget,
      alone: !runtimes.some(({ name }) => name === target),
      ...defined({ goal, target }),
    });
    return prompt;
  }

  /** Entries of all tasks in the order in which they were written, after a position. With a signal it waits for more until that is aborted. */
  async *events(given: EventsAsked = {}): AsyncGenerator<StoreEvent> {
    checkShape('events', given, { after: 'number', signal: 'any' });
    const { clock, store } = this.context;
    let { after = 0 } = given;
    options.checkPosition(after);
    for (;;) {
      const page = await store.catalog.feed(after, pageSize);
      for (const stored of page) {
        after = stored.position;
        yield { position: after, task: stored.task, entry: openEntry(stored) };
      }
      if (page.length > 0) continue;
      if (given.signal === undefined || given.signal.aborted) return;
      await clock.sleep(pauseBetweenLooks(store, pollMs), given.signal).catch(() => undefined);
    }
  }

  /** What legs of a task kept for a program, in the order in which they did. */
  kept(task: string, program: string, given: { readonly after?: number } = {}): AsyncGenerator<KeptState> {
    checkShape('kept', given, options.keptShape);
    return keptStates(this.context, task, { program, after: given.after ?? -1 });
  }

  async packet(digest: Digest): Promise<Packet> {
    return await reading.findPacket(this.context, digest);
  }

  async contract(digest: Digest): Promise<Contract> {
    return await reading.findContract(this.context, digest);
  }

  async resolve(task: string): Promise<TaskId> {
    return await resolveTask(this.context, task);
  }
}
