import { Actor } from '../core/actor.ts';
import type { Address } from '../core/address.ts';
import type { OfferTerms } from '../core/command.ts';
import type { Contract } from '../core/contract.ts';
import { refuseNonHolder } from '../core/decide/guard.ts';
import type { Digest } from '../core/digest.ts';
import { StaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';
import type { Packet } from '../core/packet.ts';
import { parse } from '../core/parse.ts';
import type { TaskState } from '../core/state.ts';
import { createWorker, type Handler, type Worker, type WorkerOptions } from '../crew/worker.ts';
import * as carrying from '../handoff/carry.ts';
import type { Context, Gate } from '../handoff/context.ts';
import * as finish from '../handoff/finish.ts';
import * as reading from '../handoff/history.ts';
import { Leg, type Once } from '../handoff/leg.ts';
import { load, resolveTask } from '../handoff/load.ts';
import * as offering from '../handoff/offer.ts';
import { open, type ContractInput, type OpenOptions } from '../handoff/open.ts';
import * as outside from '../handoff/outside.ts';
import { recover, type Recovery } from '../handoff/recover.ts';
import type { Call, Recorded } from '../handoff/record.ts';
import { sweep, type SweepOptions, type Swept } from '../handoff/sweep.ts';
import { accept, takeNext, type TakeOptions } from '../handoff/take.ts';
import { timeline, type TimelineLeg } from '../handoff/timeline.ts';
import { verifyStore, verifyTask, type Verification } from '../handoff/verify.ts';
import type { CardPage, CardQuery } from '../ports/journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import { unobserved, type Reached } from '../ports/step.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import { openStore } from './open-store.ts';
import { storeRedactor } from './redactor.ts';
import { systemClock, systemEntropy } from './system.ts';
import { workspaceOf } from './workspace.ts';

/** Who acts: a bare name is an agent without a lane. */
export type Who = string | (Omit<Actor, 'kind'> & { readonly kind?: Actor['kind'] });

export interface As extends Once {
  readonly as?: Who;
}

export interface StaffettaOptions {
  /** A path, `sqlite:path`, `memory:`, or a store that is open already. */
  readonly store: string | Store;
  /** Speaks where a call names nobody. */
  readonly as?: Who;
  /** Where the work is done: a folder, or a workspace that is open already. Packets are then sealed from what is there. */
  readonly workspace?: string | Workspace;
  /** `record` lets packets that are not ready pass, and only records what was found. */
  readonly gate?: Gate;
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  readonly reached?: Reached;
}

/** Opens a store, creating it if need be, and gives the verbs to work with it. */
export async function openStaffetta(options: StaffettaOptions): Promise<Staffetta> {
  const reached = options.reached ?? unobserved;
  const store =
    typeof options.store === 'string'
      ? await openStore(options.store, { create: true, reached })
      : options.store;
  const workspace = workspaceOf(options.workspace);
  const context: Context = {
    store,
    clock: options.clock ?? systemClock,
    entropy: options.entropy ?? systemEntropy,
    reached,
    redactor: storeRedactor(store, process.env),
    gate: options.gate ?? 'refuse',
    ...(workspace === undefined ? {} : { workspace }),
  };
  return new Staffetta(context, options.as);
}

export interface TaskView extends TaskState {
  readonly leaseUntil: number | null;
}

export class Staffetta {
  readonly context: Context;
  readonly #as: Who | undefined;

  constructor(context: Context, as?: Who) {
    this.context = context;
    this.#as = as;
  }

  get store(): Store {
    return this.context.store;
  }

  #call({ as, key, dryRun }: As = {}): Call {
    const who = as ?? this.#as;
    const given = typeof who === 'string' ? { name: who } : (who ?? { name: 'staffetta-library' });
    const by = parse(Actor, { kind: 'agent', ...given }, 'actor');
    if (by.kind === 'system')
      throw new StaffettaError('denied', 'Only Staffetta itself speaks as the system.');
    return { by, ...(key === undefined ? {} : { key }), ...(dryRun === undefined ? {} : { dryRun }) };
  }

  async open(contract: ContractInput, options: OpenOptions & As = {}): Promise<TaskView> {
    const { as, key, dryRun, ...rest } = options;
    return view(await open(this.context, contract, rest, this.#call({ ...pick({ as, key, dryRun }) })));
  }

  /** Opens a task and takes it in one step. */
  async begin(contract: ContractInput, options: OpenOptions & Omit<As, 'dryRun'> = {}): Promise<Leg> {
    const { as, key, ...rest } = options;
    const call = this.#call(pick({ as, key }));
    return await Leg.startedBy(
      this.context,
      await open(this.context, contract, { ...rest, take: true }, call),
    );
  }

  async offer(task: string, terms: OfferTerms, as?: As): Promise<TaskView> {
    return view(await offering.offer(this.context, await this.resolve(task), terms, this.#call(as)));
  }

  async withdraw(
    task: string,
    options: { readonly why?: string; readonly leaseMs?: number } = {},
    as?: As,
  ): Promise<TaskView> {
    return view(await offering.withdraw(this.context, await this.resolve(task), options, this.#call(as)));
  }

  /** Takes the named task, or the next one offered to this actor. Undefined: nothing to take. */
  async take(options: TakeOptions & As & { readonly task?: string } = {}): Promise<Leg | undefined> {
    const { as, key, dryRun, task, ...rest } = options;
    const call = this.#call(pick({ as, key, dryRun }));
    const recorded =
      task === undefined
        ? await takeNext(this.context, rest, call)
        : await accept(this.context, await this.resolve(task), rest, call);
    return recorded === undefined ? undefined : await Leg.startedBy(this.context, recorded);
  }

  /**
   * A handle on a leg that this actor holds already: after a restart, say. With the generation it was granted, it is
   * refused once that is over; without, it is enough that the actor holds the task now.
   */
  async leg(task: string, options: As & { readonly generation?: number } = {}): Promise<Leg> {
    const { state, lease } = await load(this.context, await this.resolve(task));
    const { by } = this.#call(options);
    const generation = options.generation ?? state.generation;
    const asked = { by, now: this.context.clock.now(), leaseUntil: lease?.until ?? null };
    const refusal = refuseNonHolder(state, asked, generation);
    if (refusal !== undefined) throw refusal;
    return await Leg.from(this.context, state);
  }

  async decline(task: string, reasons: readonly string[], as?: As): Promise<TaskView> {
    return view(await carrying.decline(this.context, await this.resolve(task), { reasons }, this.#call(as)));
  }

  /** Writes a note under a generation that was granted earlier; refused if it is over. */
  async note(task: string, generation: number, text: string, as?: As): Promise<TaskView> {
    const held = { task: await this.resolve(task), generation };
    return view(await carrying.carry(this.context, held, [{ type: 'note', text }], this.#call(as)));
  }

  async tell(task: string, text: string, as?: As): Promise<TaskView> {
    return view(await outside.tell(this.context, await this.resolve(task), text, this.#call(as)));
  }

  async answer(
    task: string,
    input: { readonly decision: number; readonly answer: string },
    as?: As,
  ): Promise<TaskView> {
    return view(await outside.answer(this.context, await this.resolve(task), input, this.#call(as)));
  }

  async review(task: string, verdict: finish.Verdict, as?: As): Promise<TaskView> {
    return view(await finish.review(this.context, await this.resolve(task), verdict, this.#call(as)));
  }

  async cancel(task: string, why: string, as?: As): Promise<TaskView> {
    return view(await outside.cancel(this.context, await this.resolve(task), why, this.#call(as)));
  }

  async redrive(
    task: string,
    options: { readonly to?: Address; readonly why?: string } = {},
    as?: As,
  ): Promise<TaskView> {
    return view(await offering.redrive(this.context, await this.resolve(task), options, this.#call(as)));
  }

  async recover(): Promise<Recovery> {
    return await recover(this.context);
  }

  async sweep(options: SweepOptions): Promise<Swept> {
    return await sweep(this.context, options);
  }

  /** One task, or the whole store. */
  async verify(task?: string): Promise<Verification> {
    return task === undefined
      ? await verifyStore(this.context)
      : await verifyTask(this.context, await this.resolve(task));
  }

  async show(task: string): Promise<TaskView> {
    const { state, lease } = await load(this.context, await this.resolve(task));
    return { ...state, leaseUntil: lease?.until ?? null };
  }

  async list(query: Partial<CardQuery> = {}): Promise<CardPage> {
    return await this.context.store.catalog.list({ limit: 50, ...query });
  }

  async timeline(task: string): Promise<TimelineLeg[]> {
    return await timeline(this.context, await this.resolve(task));
  }

  history(task: string): AsyncGenerator<reading.HistoryItem> {
    return reading.history(this.context, task);
  }

  async packet(digest: Digest): Promise<Packet> {
    return await reading.readPacket(this.context, digest);
  }

  async contract(digest: Digest): Promise<Contract> {
    return await reading.readContract(this.context, digest);
  }

  async resolve(task: string): Promise<TaskId> {
    return await resolveTask(this.context, task);
  }

  /** Carries whatever is offered to this actor, one leg after another. */
  worker(as: Who, handler: Handler, options: WorkerOptions = {}): Worker {
    return createWorker(this.context, this.#call({ as }).by, { ...options, handler });
  }

  async close(): Promise<void> {
    await this.context.store.close();
  }
}

function view(recorded: Recorded): TaskView {
  return { ...recorded.state, leaseUntil: recorded.leaseUntil };
}

/** Leaves out what is undefined, for exact optional properties. */
function pick<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
