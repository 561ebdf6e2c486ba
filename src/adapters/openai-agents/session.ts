/**
 * A session of the OpenAI Agents SDK that is a task. The runner writes to a session when a run is over, so a run that is killed would leave
 * nothing: what each model is about to see is kept before it is asked, beside the history and not in it, since a run that only failed
 * adds nothing to a session of the SDK either. `unfinished` returns it as the input of a run that goes on.
 */
import {
  MemorySession,
  UserError,
  type AgentInputItem,
  type RunContext,
  type RunContextAwareSession,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type SessionHistoryTransactionArgs,
  type SessionHistoryTransactionAwareSession,
} from '@openai/agents';
import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { checkKind, checkShape } from '../../core/base/shape.ts';
import { cut } from '../../core/base/text.ts';
import { digestOf } from '../../core/journal/digest.ts';
import type { Staffetta } from '../../library/staffetta.ts';
import { KeptLists, notAmong, type AboutLists } from '../kept-lists.ts';
import { linesOf, toPlain } from '../plain-values.ts';
import { Thread } from '../thread.ts';

export interface SessionOptions {
  /** How long a run may be silent before another may take its session over. */
  readonly leaseMs?: number;
}

/** What a run left that never ended. */
export interface UnfinishedRun {
  /** The name of the agent whose model was asked last. */
  readonly agent: string;
  /** What that model had seen and the history does not have: the input of a run that goes on. A run that streamed may have none. */
  readonly input: AgentInputItem[];
}

const program = 'openai-agents';
const called = 'OpenAI Agents session';
/** Of what a model says with a handoff. */
const wordsCharsMax = 2000;

/** The session that a run has, for what is called with its context alone. */
const sessionsByRun = new WeakMap<object, StaffettaSession>();

export function sessionOfRun(context: object): StaffettaSession | undefined {
  return sessionsByRun.get(context);
}

/** A change of the history, made by the SDK's own session; what it returns beside the result is kept with the change. */
type Rewriting<T> = (items: MemorySession) => Promise<{ readonly result: T; readonly about?: AboutLists }>;

export class StaffettaSession
  implements RunContextAwareSession, SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession
{
  readonly acceptsRunContext = true;
  readonly #thread: Thread;
  readonly #lists = new KeptLists(called);
  /** What was done under which name, so that it is done once. */
  readonly #operations = new Map<string, string>();
  /** The last agent whose model was asked. */
  #agent = '';
  /** The run that read last, and whether it keeps what its models see. */
  #run: object | undefined;
  #isSeeing = false;
  /** Whether the last run that did has not ended. */
  #isOpen = false;
  /** What the agent said that hands over. */
  #why: string | undefined;
  /** How much of the history packets tell; and how much they do if the one came about that was to follow the last record. */
  #told: readonly [before: number, after: number] = [0, 0];

  constructor(relay: Staffetta, sessionId: string, options: SessionOptions = {}) {
    checkKind('StaffettaSession: sessionId', sessionId, 'text');
    checkShape('StaffettaSession', options, { leaseMs: 'number' });
    this.#thread = new Thread(relay, sessionId, { program, called, leaseMs: options.leaseMs });
  }

  async getSessionId(): Promise<string> {
    return await Promise.resolve(this.#thread.id);
  }

  async getItems(limit?: number, run?: RunContext): Promise<AgentInputItem[]> {
    return await this.#thread.inTurn(async () => {
      if (run !== undefined && run !== this.#run) this.#begin(run);
      // What others write after a run has read is no part of its history: it is told of it when it writes.
      else if (run !== undefined) return await this.#memory().getItems(limit);
      await this.#read();
      return await this.#memory().getItems(limit);
    });
  }

  async addItems(items: AgentInputItem[], run?: RunContext): Promise<void> {
    checkKind('addItems: items', items, 'list');
    for (const [i, item] of items.entries()) checkKind(`addItems: items[${i}]`, item, 'object');
    await this.#rewrite(run, async (memory) => ({ result: await memory.addItems(items) }));
  }

  async popItem(run?: RunContext): Promise<AgentInputItem | undefined> {
    return await this.#rewrite(run, async (memory) => ({ result: await memory.popItem() }));
  }

  async clearSession(run?: RunContext): Promise<void> {
    await this.#rewrite(run, async (memory) => ({
      result: await memory.clearSession(),
      about: { cleared: true },
    }));
  }

  async applyHistoryMutations(args: SessionHistoryRewriteArgs): Promise<void> {
    await this.#rewrite(undefined, async (memory) => ({ result: await memory.applyHistoryMutations(args) }));
  }

  async applyHistoryTransaction(args: SessionHistoryTransactionArgs, run?: RunContext): Promise<void> {
    await this.#rewrite(run, async (memory) => {
      // Whatever is wrong with it, the SDK's own session says so.
      const before = this.#operations.get(args?.operationId);
      if (before === undefined) await memory.applyHistoryTransaction(args);
      const { operationId: id, transaction } = args;
      const digest = digestOf(orderedText(toPlain(transaction, 'transaction')));
      if (before === undefined) return { result: undefined, about: { operation: { id, digest } } };
      if (before === digest) return { result: undefined };
      throw new UserError('Session history operation was already applied with a different transaction.');
    });
  }

  /** What a run left that was killed, or that failed. Undefined: nothing. */
  async unfinished(): Promise<UnfinishedRun | undefined> {
    return await this.#thread.inTurn(async () => {
      await this.#read();
      const input = this.#lists.values('seen') as AgentInputItem[];
      return this.#isOpen ? { agent: this.#agent, input } : undefined;
    });
  }

  /** Lets others write to a session whose run was given up. */
  async release(): Promise<void> {
    await this.#thread.inTurn(async () => {
      this.#thread.forgive();
      this.#run = undefined;
      this.#isSeeing = false;
      await this.#thread.release();
    });
  }

  /** Keeps what the model of an agent is about to see. Another agent than before: a handoff. */
  async see(agent: string, input: readonly AgentInputItem[]): Promise<void> {
    await this.#thread.inTurn(async () => {
      const seen = notAmong(this.#lists.values('items'), input, 'items');
      await this.#hold(agent);
      this.#isSeeing = true;
      const passes = !this.#thread.isHeldBy(agent);
      const transcript = await this.#keep({ seen }, { agent, open: true }, passes);
      await this.#thread.handTo(agent, defined({ transcript, why: this.#why }));
      this.#why = undefined;
      if (passes) this.#told = [this.#told[1], this.#told[1]];
    });
  }

  /** Before an agent hands over: whether the run still has the session, and what it says with it. */
  async leave(run: object, words: string): Promise<void> {
    await this.#thread.inTurn(async () => {
      if (!this.#isSeeing)
        throw new StaffettaError('invalid-input', 'This run does not keep what its models see.', {
          details: { thread: this.#thread.id },
          hint: 'Give it what durably returns: run(agent, input, durably(session))',
        });
      this.#refuseEarlier(run);
      await this.#thread.confirm();
      this.#why = words === '' || words === '{}' ? undefined : cut(words, wordsCharsMax);
    });
  }

  #memory(): MemorySession {
    const initialItems = this.#lists.values('items') as AgentInputItem[];
    return new MemorySession({ sessionId: this.#thread.id, initialItems });
  }

  /** The history as a run leaves it, or as a program changes it between runs. */
  async #rewrite<T>(run: object | undefined, act: Rewriting<T>): Promise<T> {
    return await this.#thread.inTurn(async () => {
      if (run === undefined) await this.#read();
      else this.#refuseEarlier(run);
      const memory = this.#memory();
      const { result, about } = await act(memory);
      const items = await memory.getItems();
      const clears = about?.['cleared'] === true;
      const isSaid = run !== undefined && this.#saysMore(items);
      const seen = isSaid || clears ? [] : notAmong(items, this.#lists.values('seen'), 'items');
      const lists = run === undefined && !clears ? { items } : { items, seen };
      const isNews = clears ? this.#operations.size > 0 : about !== undefined;
      if (isNews || !this.#lists.are(lists)) {
        await this.#hold();
        const ends = isSaid || !this.#isSeeing;
        const open = this.#isOpen && !isSaid && !clears;
        const transcript = await this.#keep(lists, { ...about, open }, ends);
        if (ends) await this.#end(defined({ transcript }));
      }
      return result;
    });
  }

  /** More than a model was asked: the run is over. One that streams, or fails then, also adds what it was asked alone. */
  #saysMore(items: readonly AgentInputItem[]): boolean {
    const known = [...this.#lists.values('items'), ...this.#lists.values('seen')];
    return notAmong(known, items, 'items').length > 0;
  }

  #begin(run: object): void {
    this.#run = run;
    sessionsByRun.set(run, this);
    this.#isSeeing = false;
    this.#why = undefined;
    this.#thread.forgive();
  }

  async #end(passing: { readonly transcript?: string }): Promise<void> {
    this.#run = undefined;
    this.#isSeeing = false;
    await this.#thread.release(passing);
    this.#told = [this.#told[1], this.#told[1]];
  }

  async #hold(agent?: string): Promise<void> {
    await this.#thread.hold(agent);
    if (this.#thread.isPassedOn()) this.#told = [this.#told[1], this.#told[1]];
  }

  /** Keeps the lists; with a packet to follow, returns what that has to tell. */
  async #keep(
    lists: Readonly<Record<string, readonly unknown[]>>,
    about: AboutLists,
    isPacketNext: boolean,
  ): Promise<string | undefined> {
    const said = this.#lists.texts('items', 'seen');
    const after = this.#lists.textsAfter(lists, 'items', 'seen');
    const differs = after.findIndex((text, i) => text !== said[i]);
    const told = Math.min(this.#told[0], differs === -1 ? after.length : differs);
    this.#told = [told, isPacketNext ? after.length : told];
    const bytes = this.#lists.changeTo(lists, { ...about, told: this.#told });
    await this.#thread.keep(bytes);
    this.#learn(this.#lists.add(bytes));
    const news = [...this.#lists.values('items'), ...this.#lists.values('seen')].slice(told);
    return isPacketNext && news.length > 0 ? linesOf(news) : undefined;
  }

  async #read(): Promise<void> {
    // A run that lost its session is not forgiven because its program looks at it.
    if (!this.#isSeeing) this.#thread.forgive();
    for (const { bytes } of await this.#thread.read()) this.#learn(this.#lists.add(bytes));
  }

  #learn({ agent, open, operation, cleared, told }: AboutLists): void {
    this.#isOpen = open === true;
    if (typeof agent === 'string') this.#agent = agent;
    if (cleared === true) this.#operations.clear();
    if (Array.isArray(told)) this.#told = [Number(told[0]), Number(told[1])];
    if (typeof operation !== 'object' || operation === null) return;
    const { id, digest } = operation as Readonly<Record<string, unknown>>;
    if (typeof id === 'string' && typeof digest === 'string') this.#operations.set(id, digest);
  }

  #refuseEarlier(run: object): void {
    if (this.#run === undefined || this.#run === run) return;
    const { id, task } = this.#thread;
    throw new StaffettaError(
      'conflict',
      `A later run of this program began on ${called} ${JSON.stringify(id)}.`,
      {
        details: { thread: id, task },
        hint: 'Let one run at a time use a session: what this one said was not added to it.',
      },
    );
  }
}

/** The same for equal values, whatever order their fields have. */
function orderedText(plain: unknown): string {
  return JSON.stringify(plain, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
