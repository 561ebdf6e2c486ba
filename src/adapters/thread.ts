/**
 * A conversation of a framework as a task: found by the name that the framework has for it, taken when something is written, and given
 * back when its run is over. A writer that lost it is told so, and stays told until it has read the thread again.
 */
import { isStaffettaError, StaffettaError, type ErrorCode } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { conversationKind } from '../core/gate/profile.ts';
import { taskIdForKey, type TaskId } from '../core/journal/id.ts';
import { timeText } from '../core/task/lease.ts';
import type { TaskState } from '../core/task/state.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import type { KeptState } from '../handoff/history/kept-states.ts';
import { findState } from '../handoff/record/load.ts';
import { Staffetta } from '../library/staffetta.ts';

export interface ThreadOptions {
  /** The framework, as actors and entries name it: `langgraph`. */
  readonly program: string;
  /** As its users call it: `LangGraph thread`. */
  readonly called: string;
  readonly leaseMs?: number | undefined;
}

/** What goes along with a thread to its next holder. */
export interface Passing {
  readonly next?: string;
  readonly why?: string;
  /** What was said since it was passed on before. */
  readonly transcript?: string;
}

export class Thread {
  readonly id: string;
  readonly task: TaskId;
  readonly #relay: Staffetta;
  readonly #options: ThreadOptions;
  /** One for each writer: two with one name are told apart by it. */
  readonly #session: string;
  #leg: Leg | undefined;
  /** The leg in which something was kept, which acknowledges it. */
  #wroteIn: Leg | undefined;
  /** The last entry of ours, or that was read; what others wrote after it is news. */
  #seen = -1;
  #lost: StaffettaError | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(relay: Staffetta, id: string, options: ThreadOptions) {
    checkRelay(relay);
    if (id === '')
      throw new StaffettaError('invalid-input', `This ${options.called} has no name.`, {
        hint: 'Give one that is the same in each process which goes on with it.',
      });
    const key = threadKey(options.program, id);
    if (key.length > limits.keyCharsMax)
      throw new StaffettaError('invalid-input', `The name of this ${options.called} is too long.`, {
        details: { thread: `${id.slice(0, 80)}…`, chars: id.length },
        hint: `Give one of at most ${limits.keyCharsMax - threadKey(options.program, '').length} characters.`,
      });
    this.id = id;
    this.task = taskIdForKey(options.program, key);
    this.#relay = relay;
    this.#options = options;
    this.#session = Buffer.from(relay.context.entropy.bytes(8)).toString('hex');
  }

  /** One after the other: frameworks write several things at once. */
  async inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => undefined);
    return await turn;
  }

  get holder(): string | undefined {
    return this.#leg?.holder.name;
  }

  isHeldBy(agent: string): boolean {
    return this.holder === agentName(agent);
  }

  /** Whether a packet was sealed since something was kept last: a writer that was killed may not have come to it. */
  isPassedOn(): boolean {
    return (this.#leg?.received?.head.seq ?? -1) >= this.#seen;
  }

  /** What was kept since the last time. */
  async read(): Promise<KeptState[]> {
    const { program } = this.#options;
    const news: KeptState[] = [];
    for await (const kept of this.#relay.kept(this.task, program, { after: this.#seen })) news.push(kept);
    this.#seen = news.at(-1)?.seq ?? this.#seen;
    return news;
  }

  /** The run that lost the thread is over; this is another. */
  forgive(): void {
    this.#lost = undefined;
  }

  /** Takes the thread where nobody holds it. Refused where somebody else does, or has written since it was read. */
  async hold(agent = this.#options.program, to?: string): Promise<Leg> {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#leg !== undefined) return this.#leg;
    try {
      const as = this.#actor(to ?? (await this.#taker(agentName(agent))));
      const { leaseMs = limits.leaseMsDefault } = this.#options;
      const leg = await this.#relay.take({ task: this.task, as, leaseMs });
      this.#leg = leg;
      await this.#refuseNews();
      if (leg !== undefined) return leg;
    } catch (error) {
      throw this.#worded(error);
    }
    throw this.#worded(new StaffettaError('held', `Task ${this.task} could not be taken.`));
  }

  async keep(bytes: Uint8Array | readonly Uint8Array[]): Promise<number> {
    const leg = await this.hold();
    try {
      const { entry } = await leg.keep(this.#options.program, bytes);
      this.#wroteIn = leg;
      this.#seen = entry?.seq ?? this.#seen;
      return this.#seen;
    } catch (error) {
      throw this.#worded(error);
    }
  }

  /** Another agent of the same program goes on. */
  async handTo(agent: string, given: Passing = {}): Promise<void> {
    const name = agentName(agent);
    const leg = await this.hold(agent);
    if (leg.holder.name === name) return;
    await this.#handOff(leg, `agent:${name}`, { next: `Go on as ${agent}.`, ...given });
    await this.hold(agent, name);
  }

  /** Nobody needs it now: the next writer may be anyone, in any process. */
  async release(given: Passing = {}): Promise<void> {
    if (this.#leg === undefined) return;
    await this.#handOff(this.#leg, 'anyone', { next: 'Go on when there is something new.', ...given });
  }

  /** Whether this run still has it, asked of the store: before something is done that must not be done twice. */
  async confirm(): Promise<void> {
    const leg = await this.hold();
    if ((await leg.renew()) !== null) return;
    const { leg: held, task } = await leg.state();
    throw this.#worded(
      new StaffettaError('stale-generation', `Task ${task} went on without this run.`, {
        details: held === null ? {} : { holder: held.holder.name },
      }),
    );
  }

  /** Takes the whole thread away, for good. */
  async remove(): Promise<void> {
    const { journal } = this.#relay.store;
    const head = await journal.head(this.task);
    if (head === undefined) return;
    if (head.lease !== null && this.#leg === undefined) await this.hold();
    const now = await journal.head(this.task);
    if (now === undefined) return;
    if (!(await journal.remove(this.task, now.seq, this.#relay.context.clock.now(), now.lease)))
      throw new StaffettaError('conflict', `${this.#shown} was written to while it was removed.`, {
        details: { thread: this.id, task: this.task },
        hint: 'Try again.',
      });
    this.#leg = undefined;
    this.#seen = -1;
  }

  get #shown(): string {
    return `${this.#options.called} ${JSON.stringify(this.id)}`;
  }

  #actor(name: string): { name: string; lane: 'execute'; runtime: string; session: string } {
    return { name, lane: 'execute', runtime: this.#options.program, session: this.#session };
  }

  async #taker(wanted: string): Promise<string> {
    return takerOf((await findState(this.#relay.context, this.task)) ?? (await this.#open()), wanted);
  }

  async #open(): Promise<TaskState> {
    const { program } = this.#options;
    return await this.#relay.open(
      {
        goal: `${this.#shown} goes on.`,
        kind: conversationKind,
        // A process that dies is no failed attempt at a conversation.
        caps: { attempts: 10_000 },
      },
      { as: { name: program, runtime: program }, key: threadKey(program, this.id), to: 'anyone' },
    );
  }

  async #handOff(leg: Leg, to: `agent:${string}` | 'anyone', { next = '', ...rest }: Passing): Promise<void> {
    try {
      if (this.#wroteIn !== leg && (await leg.state()).leg?.acknowledged === false) await leg.acknowledge();
      await leg.handoff({ to, claims: { next }, ...rest });
      this.#leg = undefined;
    } catch (error) {
      throw this.#worded(error);
    }
  }

  /** The lease keeps others out from now on; what came before it was read by nobody here. */
  async #refuseNews(): Promise<void> {
    const seen = this.#seen;
    if ((await this.read()).length === 0) return;
    await this.release();
    this.#seen = seen;
    throw new StaffettaError('conflict', `${this.#shown} has gone on since this run read it.`, {
      details: { thread: this.id, task: this.task },
      hint: 'Start the run again: it goes on from what is there now.',
    });
  }

  /** In the words of the framework, and final for this run. */
  #worded(error: unknown): unknown {
    if (!isStaffettaError(error) || !taken.has(error.code)) return error;
    if (this.#lost === error) return error;
    this.#leg = undefined;
    const { holder, leaseUntil } = error.details;
    const until = typeof leaseUntil === 'number' ? ` until ${timeText(leaseUntil)}` : '';
    const isPassing = error.code === 'not-addressed';
    const code = isPassing ? 'held' : error.code;
    const nobody = isPassing ? 'being passed on by another run' : 'no longer held by this run';
    const who = typeof holder === 'string' ? `held by ${holder}${until}` : nobody;
    const lost = code === 'conflict' ? error : this.#lostTo(error, { code, who });
    if (code !== 'held') this.#lost = lost;
    return lost;
  }

  #lostTo(
    error: StaffettaError,
    { code, who }: { readonly code: ErrorCode; readonly who: string },
  ): StaffettaError {
    const hint =
      code === 'held'
        ? 'Wait until its run is over, or for the time named, and try again.'
        : 'End this run. A new one goes on from what is there now.';
    return new StaffettaError(code, `${this.#shown} is ${who}; nothing of this run was added to it.`, {
      details: { ...error.details, thread: this.id, task: this.task },
      hint,
      cause: error,
    });
  }
}

export function checkRelay(relay: Staffetta): void {
  if (relay instanceof Staffetta) return;
  throw new StaffettaError('invalid-input', 'relay: expected what openStaffetta returned.', {
    hint: 'const relay = await openStaffetta({ store: "relay.db" })',
  });
}

/** Refusals after which a run must not go on writing. */
const taken: ReadonlySet<ErrorCode> = new Set([
  'held',
  'stale-generation',
  'not-holder',
  'not-addressed',
  'conflict',
]);

export function threadKey(program: string, id: string): string {
  return `${program}:${id}`;
}

/**
 * The agent that a handoff was made to goes on, whichever process it is in. So does one that kept nothing before its run gave the thread up:
 * the one that handed it over would have it back with nothing changed, and be refused.
 */
function takerOf({ offer, leg, custody }: TaskState, wanted: string): string {
  if (offer === null) return leg?.holder.name ?? wanted;
  if (offer.to.startsWith('agent:')) return offer.to.slice('agent:'.length);
  return offer.notTo === wanted ? (custody?.agent ?? wanted) : wanted;
}

/** An actor has letters, digits and few other characters in its name; frameworks allow any. */
function agentName(given: string): string {
  const name = given
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._@+/-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, limits.nameCharsMax);
  return name === '' ? 'agent' : name;
}
