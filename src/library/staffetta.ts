import { defined } from '../core/base/defined.ts';
import type { Address } from '../core/task/address.ts';
import type { OfferTerms } from '../core/task/command.ts';
import { refuseNonHolder } from '../core/decide/guard.ts';
import { StaffettaError } from '../core/base/error.ts';
import { checkKind, checkPositiveMs, checkShape } from '../core/base/shape.ts';
import { createWorker, type Handler, type Worker, type WorkerOptions } from '../crew/worker.ts';
import { amend, amendmentOf, type AmendInput } from '../handoff/verbs/amend.ts';
import * as carrying from '../handoff/verbs/carry.ts';
import type { Context, Gate } from '../handoff/record/context.ts';
import { exportTask, type Exported } from '../handoff/trust/export.ts';
import * as finish from '../handoff/verbs/finish.ts';
import { fork, type ForkInput } from '../handoff/verbs/fork.ts';
import { importTask, type Imported, type ImportSource } from '../handoff/trust/import.ts';
import { Leg, type Once } from '../handoff/verbs/leg.ts';
import { load } from '../handoff/record/load.ts';
import * as offering from '../handoff/verbs/offer.ts';
import type { ContractInput, OpenOptions } from '../handoff/verbs/open.ts';
import * as outside from '../handoff/verbs/outside.ts';
import { recover, type Recovery, type RecoverOptions } from '../handoff/verbs/recover.ts';
import type { Call, Recorded } from '../handoff/record/record.ts';
import type { RecordedRun } from '../handoff/verbs/run.ts';
import { sweep, type SweepOptions, type Swept } from '../handoff/verbs/sweep.ts';
import type { NextOptions, TakeOptions } from '../handoff/verbs/take.ts';
import { validate, type ValidateOptions } from '../handoff/verbs/validate.ts';
import type { CardPage, CardQuery, ListedCard } from '../ports/journal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import { unobserved, type Reached, type NamedStep } from '../ports/step.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import { ownStore } from '../home/foreign-store.ts';
import { storeAddress } from '../home/locate.ts';
import { openStore } from '../compose/open-store.ts';
import { forgetWords } from '../home/word-index.ts';
import { contextOf } from '../desk/context.ts';
import { openHere, take } from '../desk/take.ts';
import { Looks, type TaskLook } from './looks.ts';
import { CrewOf, type CrewOptions } from './crew.ts';
import * as options from './verb-options.ts';
import { actorOf, type Who } from './who.ts';

// What a caller has to name to use this file; `staffetta/ports` has them all.
export type { CardPage, CardQuery, Clock, Entropy, ListedCard, Reached, NamedStep, Store };

export interface As extends Once {
  readonly as?: Who;
}

export interface StaffettaOptions {
  /**
   * A path, `sqlite:path`, `memory:`, or a store that is open already. By default what the command would use: the store that
   * STAFFETTA_STORE names, else the one of this folder's repository.
   */
  readonly store?: string | Store;
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
export async function openStaffetta(given: StaffettaOptions = {}): Promise<Staffetta> {
  options.checkOpening(given);
  if (given.as !== undefined) actorOf(given.as);
  const reached = given.reached ?? unobserved;
  const store =
    typeof given.store === 'object'
      ? given.store
      : await openStore(
          given.store === undefined ? ownStore(process.cwd(), process.env) : storeAddress(given.store),
          { create: true, reached },
        );
  const { workspace, gate, clock, entropy } = given;
  const context = contextOf(store, { workspace, env: process.env, gate, clock, entropy, reached });
  return new Staffetta(context, given.as);
}

export class Staffetta extends Looks {
  readonly #as: Who | undefined;

  constructor(context: Context, as?: Who) {
    super(context);
    this.#as = as;
  }

  #call(given: As = {}): Call {
    checkShape('as', given, options.asShape);
    const { as, key, dryRun } = given;
    const by = actorOf(as ?? this.#as ?? 'staffetta-library');
    return { by, ...defined({ key, dryRun }) };
  }

  async open(contract: ContractInput, given: OpenOptions & As = {}): Promise<TaskLook> {
    checkShape('open', given, options.openShape);
    checkPositiveMs('open: expiresMs', given.expiresMs);
    const { as, key, dryRun, ...rest } = given;
    return view(
      await openHere(this.context, contract, rest, this.#call({ ...defined({ as, key, dryRun }) })),
    );
  }

  /** Opens a task and takes it in one step. */
  async begin(
    contract: ContractInput,
    given: Omit<OpenOptions, 'take' | 'draft'> & Omit<As, 'dryRun'> = {},
  ): Promise<Leg> {
    checkShape('begin', given, options.beginShape);
    checkPositiveMs('begin: expiresMs', given.expiresMs);
    const { as, key, ...rest } = given;
    const call = this.#call(defined({ as, key }));
    const recorded = await openHere(this.context, contract, { ...rest, take: true }, call);
    return await Leg.startedBy(this.context, recorded);
  }

  /** Opens a task that goes on from a packet of another one, and shares its history. */
  async fork(task: string, input: ForkInput & As): Promise<TaskLook> {
    checkShape('fork', input, options.forkShape);
    checkPositiveMs('fork: expiresMs', input.expiresMs);
    const { as, key, dryRun, ...rest } = input;
    const call = this.#call({ ...defined({ as, key, dryRun }) });
    return view(await fork(this.context, await this.resolve(task), rest, call));
  }

  /** The task with its whole history, as bytes for `import` in another store, signed by this store's actor. It stays where it is. */
  async export(task: string): Promise<Exported> {
    const by = this.#as === undefined ? undefined : actorOf(this.#as);
    return await exportTask(this.context, await this.resolve(task), by);
  }

  /** Brings what `export` wrote. The source is called twice; a task that is not over arrives as a copy. */
  async import(source: ImportSource, given: { readonly dryRun?: boolean } = {}): Promise<Imported> {
    checkKind('import: source', source, 'function');
    checkShape('import', given, options.importShape);
    return await importTask(this.context, source, given);
  }

  async offer(task: string, terms: OfferTerms, as?: As): Promise<TaskLook> {
    checkShape('offer', terms, options.offerShape);
    checkPositiveMs('offer: expiresMs', terms.expiresMs);
    return view(await offering.offer(this.context, await this.resolve(task), terms, this.#call(as)));
  }

  async withdraw(
    task: string,
    given: { readonly why?: string; readonly leaseMs?: number } = {},
    as?: As,
  ): Promise<TaskLook> {
    checkShape('withdraw', given, options.withdrawShape);
    return view(await offering.withdraw(this.context, await this.resolve(task), given, this.#call(as)));
  }

  /**
   * Takes the named task, or the next one offered to this actor. Undefined: nothing to take. `onDamaged` hears of each task that was
   * passed over on the way.
   */
  async take(
    given: TakeOptions & Pick<NextOptions, 'onDamaged'> & As & { readonly task?: string } = {},
  ): Promise<Leg | undefined> {
    checkShape('take', given, options.takeShape);
    const { as, key, dryRun, task, ...rest } = given;
    const call = this.#call(defined({ as, key, dryRun }));
    const named = task === undefined ? undefined : await this.resolve(task);
    const taken = await take(this.context, { ...rest, task: named }, call);
    return taken === undefined ? undefined : await Leg.startedBy(this.context, taken.recorded);
  }

  /**
   * A handle on a leg that this actor holds already: after a restart, say. With the generation it was granted, it is
   * refused once that is over; without, it is enough that the actor holds the task now.
   */
  async leg(task: string, given: As & { readonly generation?: number } = {}): Promise<Leg> {
    checkShape('leg', given, options.legShape);
    const { state, lease } = await load(this.context, await this.resolve(task));
    const { by } = this.#call(defined({ as: given.as }));
    const generation = given.generation ?? state.generation;
    const asked = { by, now: this.context.clock.now(), leaseUntil: lease?.until ?? null };
    const refusal = refuseNonHolder(state, asked, generation);
    if (refusal !== undefined) throw refusal;
    return await Leg.from(this.context, state);
  }

  async decline(task: string, reasons: readonly string[], as?: As): Promise<TaskLook> {
    checkKind('decline: reasons', reasons, 'list');
    return view(await carrying.decline(this.context, await this.resolve(task), { reasons }, this.#call(as)));
  }

  /** Writes a note under a generation that was granted earlier; refused if it is over. */
  async note(task: string, generation: number, text: string, as?: As): Promise<TaskLook> {
    checkKind('note: generation', generation, 'number');
    const held = { task: await this.resolve(task), generation };
    return view(await carrying.carry(this.context, held, [{ type: 'note', text }], this.#call(as)));
  }

  async tell(task: string, text: string, as?: As): Promise<TaskLook> {
    return view(await outside.tell(this.context, await this.resolve(task), text, this.#call(as)));
  }

  async answer(
    task: string,
    input: { readonly decision: number; readonly answer: string },
    as?: As,
  ): Promise<TaskLook> {
    checkShape('answer', input, options.answerShape);
    return view(await outside.answer(this.context, await this.resolve(task), input, this.#call(as)));
  }

  /** Says that approved work is where its contract wants it; only then it is done. */
  async integrate(task: string, input: finish.IntegrateInput, as?: As): Promise<TaskLook> {
    checkShape('integrate', input, options.integrationShape);
    return view(await finish.integrate(this.context, await this.resolve(task), input, this.#call(as)));
  }

  /** Counts what a leg used, for a person or a supervisor; a holder has `leg.countUsage`. */
  async countUsage(task: string, input: outside.UsageInput, as?: As): Promise<TaskLook> {
    checkShape('countUsage', input, options.usageShape);
    return view(await outside.countUsage(this.context, await this.resolve(task), input, this.#call(as)));
  }

  /** Tells the supervisor of a run how to go on: paused or not, how many at once, within which caps. */
  async steer(task: string, input: outside.SteerInput, as?: As): Promise<TaskLook> {
    checkShape('steer', input, options.steerShape);
    return view(await outside.steer(this.context, await this.resolve(task), input, this.#call(as)));
  }

  async approvePhase(task: string, input: outside.PhaseApproval, as?: As): Promise<TaskLook> {
    checkShape('approvePhase', input, options.phaseShape);
    return view(await outside.approvePhase(this.context, await this.resolve(task), input, this.#call(as)));
  }

  async review(task: string, verdict: finish.Verdict, as?: As): Promise<TaskLook> {
    checkShape('review', verdict, options.verdictShape);
    return view(await finish.review(this.context, await this.resolve(task), verdict, this.#call(as)));
  }

  /** Runs the contract's commands in the workspace, for a person or a supervisor; a holder has `leg.validate`. */
  async validate(task: string, options: ValidateOptions = {}, as?: As): Promise<readonly RecordedRun[]> {
    return await validate(this.context, await this.resolve(task), options, this.#call(as));
  }

  async cancel(task: string, why: string, as?: As): Promise<TaskLook> {
    const { cancelWhole } = await import('../crew/steering/steer-run.ts');
    return view(await cancelWhole(this.context, await this.resolve(task), why, this.#call(as)));
  }

  async redrive(
    task: string,
    given: { readonly to?: Address; readonly why?: string } = {},
    as?: As,
  ): Promise<TaskLook> {
    checkShape('redrive', given, options.redriveShape);
    return view(await offering.redrive(this.context, await this.resolve(task), given, this.#call(as)));
  }

  /** Puts the work before a person. The holder of a task says under which generation it speaks. */
  async escalate(task: string, text: string, given: options.Escalation = {}): Promise<TaskLook> {
    options.checkEscalation(given);
    const { generation, reason, ...as } = given;
    const input = { text, ...defined({ reason, generation }) };
    return view(await outside.escalate(this.context, await this.resolve(task), input, this.#call(as)));
  }

  /** Puts a new version of the contract in force. What was submitted under the old one can no longer be approved. */
  async amend(task: string, given: AmendInput, as?: As): Promise<TaskLook> {
    checkShape('amend', given, options.amendShape);
    const { change, why, ...more } = given;
    const amendment = { ...amendmentOf(change, why), ...defined(more) };
    return view(await amend(this.context, await this.resolve(task), amendment, this.#call(as)));
  }

  async recover(given: RecoverOptions = {}): Promise<Recovery> {
    checkShape('recover', given, options.recoverShape);
    return await recover(this.context, given);
  }

  async sweep(given: SweepOptions): Promise<Swept> {
    checkShape('sweep', given, options.sweepShape);
    const swept = await sweep(this.context, given);
    if (given.dryRun !== true) await forgetWords(this.store, swept.tasks);
    return swept;
  }

  /** A consistent copy of the store as of one moment, taken while others write. Never overwrites. */
  async backup(file: string): Promise<{ readonly bytes: number }> {
    options.checkFileName('backup: file', file);
    const { backup } = this.store.upkeep;
    if (backup !== undefined) return await backup(file);
    throw new StaffettaError('unavailable', 'This store has its own way of making backups.', {
      hint: 'Use the tools of the service that keeps it.',
    });
  }

  /** Carries whatever is offered to this actor, one leg after another. */
  worker(as: Who, handler: Handler, given: WorkerOptions = {}): Worker {
    checkKind('worker: handler', handler, 'function');
    checkShape('worker', given, options.workerShape);
    return createWorker(this.context, actorOf(as), { ...given, handler });
  }

  /** Agents that work for one goal: functions of this program, each for its lane. */
  crew(given: CrewOptions = {}, as?: Who): CrewOf {
    checkShape('crew', given, options.crewShape);
    const by = actorOf(as ?? this.#as ?? 'staffetta-library');
    return new CrewOf(this.context, { lane: 'supervise', ...by }, given);
  }

  async close(): Promise<void> {
    await this.context.store.close();
  }
}

function view(recorded: Recorded): TaskLook {
  return { ...recorded.state, leaseUntil: recorded.leaseUntil };
}
