import { existsSync } from 'node:fs';
import type { Actor } from '../../core/task/actor.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { keysOf } from '../../home/keys.ts';
import { systemClock, systemEntropy } from '../../home/system.ts';
import { locateStore, told, type Located } from '../../home/locate.ts';
import { refuseForeign } from '../../home/foreign-store.ts';
import { openStore, sqlitePath } from '../../compose/open-store.ts';
import type { Context } from '../../handoff/record/context.ts';
import type { Loaded } from '../../handoff/record/load.ts';
import type { Call } from '../../handoff/record/record.ts';
import { storeRedactor } from '../../compose/redactor.ts';
import { openTelemetry } from '../../compose/tracing.ts';
import { placeOfWork } from '../../compose/workspace.ts';
import { unobserved } from '../../ports/step.ts';
import { recordedSpeaker } from '../../home/session-record.ts';
import { actorFrom, beneath, identified, isInsideAgent } from './actor.ts';
import { createOutput, type Output } from '../frame/output.ts';
import type { CommandSpec, Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text } from '../frame/values.ts';

export interface Standing extends Loaded {
  readonly task: TaskId;
  /** The generation to act under. */
  readonly generation: number;
  /** What this call's idempotency key recorded the first time. */
  readonly earlier: Entry | undefined;
}

/** One run of the command: who speaks, to which store, and how the answer is shown. */
export class Session {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  located: Located;
  readonly values: Values;
  #actor: Actor | undefined;
  #context: Context | undefined;

  constructor(values: Values, env: NodeJS.ProcessEnv, cwd: () => string) {
    this.values = values;
    this.env = env;
    this.output = createOutput(process, {
      json: values['json'] === true,
      quiet: values['quiet'] === true,
      env,
    });
    const given = text(values, 'store') ?? (env['STAFFETTA_STORE'] || undefined);
    this.located = given === undefined ? locateStore(cwd(), env) : told(given);
  }

  get actor(): Actor {
    this.#actor ??= this.#speaker();
    return this.#actor;
  }

  /** What the call and the environment say, and what a hook has recorded of the session that this command runs in. */
  #speaker(): Actor {
    const asserted = {
      as: text(this.values, 'as'),
      lane: text(this.values, 'lane'),
      runtime: text(this.values, 'runtime'),
    };
    const actor = actorFrom(asserted, this.env);
    if (!isInsideAgent(this.env) || this.storePath === 'memory:') return actor;
    const record = recordedSpeaker(this.storePath, this.env, actor.runtime);
    const named = asserted.as !== undefined || (this.env['STAFFETTA_AS'] ?? '') !== '';
    return record === undefined ? actor : identified(actor, record, { named });
  }

  get dryRun(): boolean {
    return this.values['dry-run'] === true;
  }

  /** Where the store is or will be: a path, or `memory:`. */
  get storePath(): string {
    return this.located.path === 'memory:' ? 'memory:' : sqlitePath(this.located.path);
  }

  get storeExists(): boolean {
    return this.storePath === 'memory:' || existsSync(this.storePath);
  }

  call(): Call {
    const key = text(this.values, 'idempotency-key');
    return {
      by: this.actor,
      ...(key === undefined ? {} : { key }),
      ...(this.dryRun ? { dryRun: true } : {}),
    };
  }

  /**
   * For a verdict, which an agent must not give on its own work, and for the tokens with which one is given: the processes above this one are asked as well, since an environment
   * is easily emptied.
   */
  verdictCall(): Call {
    const call = this.call();
    const record = this.storePath === 'memory:' ? undefined : recordedSpeaker(this.storePath, {}, undefined);
    return record === undefined ? call : { ...call, by: beneath(call.by, record) };
  }

  /** The store, opened. One that is not there is created if asked; a dry run works on an empty one in memory instead. */
  async context(options: { readonly create?: boolean } = {}): Promise<Context> {
    if (this.#context !== undefined) return this.#context;
    const create = options.create === true;
    const url = create && this.dryRun && !this.storeExists ? 'memory:' : this.located.path;
    if (this.located.path === 'memory:') this.output.say('The store memory: ends with this command.');
    refuseForeign(this.located);
    const store = await openStore(url, { create });
    const signer = keysOf(store);
    this.#context = {
      store,
      clock: systemClock,
      entropy: systemEntropy,
      reached: unobserved,
      redactor: storeRedactor(store, this.env),
      ...placeOfWork(process.cwd(), store),
      gate: 'refuse',
      tracing: openTelemetry,
      ...(signer === undefined ? {} : { signer }),
    };
    await this.#nameOrphans(this.#context);
    return this.#context;
  }

  /** Whoever comes next is told what a killed command left running. */
  async #nameOrphans(context: Context): Promise<void> {
    if ((context.orphans?.find() ?? []).length === 0) return;
    const { orphanLines } = await import('../pages/orphan-words.ts');
    for (const words of await orphanLines(context)) this.output.say(words, 'warn');
  }

  async close(): Promise<void> {
    await this.#context?.store.close();
    this.#context = undefined;
  }

  /** A text given as a word, or on stdin for `-`. The line break that ends the input is not part of it. */
  async words(given: string | undefined): Promise<string> {
    if (given !== '-') return given ?? '';
    if (process.stdin.isTTY) this.output.say('Reading from the terminal; end with Ctrl-D.');
    const { readText } = await import('../frame/input.ts');
    const said = (await readText('-')).replace(/\r?\n$/, '');
    if (said.trim() !== '') return said;
    throw new UsageError('Nothing came on stdin.', 'Pipe the text into the command, or give it as a word.');
  }

  /**
   * The task meant: the one named, else the leg this process was given, else the only one this actor holds. With --generation
   * it is refused unless that generation holds it now, also for what anybody may do.
   */
  async task(given: string | undefined): Promise<TaskId> {
    const task = await this.#resolved(given);
    const asked = this.#generation();
    if (asked !== undefined && (await this.#earlier(task)) === undefined)
      await this.#refuseOther(task, asked);
    return task;
  }

  async #refuseOther(task: TaskId, generation: number): Promise<void> {
    const { load } = await import('../../handoff/record/load.ts');
    const { state } = await load(await this.context(), task);
    if (state.leg?.generation === generation) return;
    const now =
      state.leg === null
        ? `nobody holds it now; it is ${state.status}`
        : `it is at generation ${state.leg.generation}, held by ${state.leg.holder.name}`;
    throw new StaffettaError(
      'stale-generation',
      `Generation ${generation} does not hold task ${task}: ${now}.`,
      {
        details: { task, yours: generation, generation: state.generation },
        hint: `See: staffetta show ${task}`,
      },
    );
  }

  async #resolved(given: string | undefined): Promise<TaskId> {
    if (given !== undefined && given !== '') {
      if (isTaskId(given)) return given;
      return await (await import('../../handoff/record/load.ts')).resolveTask(await this.context(), given);
    }
    const leg = legFrom(this.env);
    if (leg !== undefined) return leg.task;
    const context = await this.context();
    const { cards } = await context.store.catalog.list({ holder: this.actor.name, limit: 3 });
    const [only, second] = cards;
    if (only !== undefined && second === undefined) return only.task;
    throw new UsageError(
      only === undefined
        ? `Which task? ${this.actor.name} holds none.`
        : `Which task? ${this.actor.name} holds several.`,
      'Name it by its id, first; list them with: staffetta ls',
    );
  }

  /** The task that an agent works on: where it speaks itself, the leg this process was given; else the only one it holds. */
  async legOf({ name }: Actor): Promise<TaskId | undefined> {
    const given = name === this.actor.name ? legFrom(this.env) : undefined;
    if (given !== undefined) return given.task;
    const { cards } = await (await this.context()).store.catalog.list({ holder: name, limit: 2 });
    return cards.length === 1 ? cards[0]?.task : undefined;
  }

  /**
   * The task, how it stands, and the generation to act under: what the call says, what the process was given, what a
   * repeated request was made under, or else what is now. A fence only holds if it is named by the one who was granted it.
   */
  async standing(given: string | undefined): Promise<Standing> {
    const leg = legFrom(this.env);
    const asked = this.#generation();
    const task = await this.#resolved(given);
    const { load } = await import('../../handoff/record/load.ts');
    const context = await this.context();
    const loaded = await load(context, task);
    const earlier = await this.#earlier(task);
    const granted = leg?.task === task ? leg.generation : undefined;
    const generation = asked ?? granted ?? earlier?.generation ?? loaded.state.generation;
    return { ...loaded, task, generation, earlier };
  }

  /** The same for what only a holder may do. Who never held it learns that it must be taken first. */
  async held(given: string | undefined): Promise<Standing> {
    const found = await this.standing(given);
    const { state, earlier } = found;
    const named = this.#generation() !== undefined || legFrom(this.env)?.task === found.task;
    const idle = state.leg === null && !['done', 'failed', 'cancelled'].includes(state.status);
    if (idle && !named && earlier === undefined && state.custody?.agent !== this.actor.name)
      throw this.#notTaken(found);
    return found;
  }

  #notTaken({ task, state }: Standing): StaffettaError {
    const { offer } = state;
    return new StaffettaError(
      'wrong-state',
      `Nobody holds task ${task}: it is ${offer === null ? state.status : `on offer to ${offer.to} in the ${offer.lane} lane`}.`,
      {
        details: { task, status: state.status, holder: null, offeredTo: offer?.to ?? null },
        hint: state.offer === null ? `See: staffetta show ${task}` : `Take it first: staffetta take ${task}`,
      },
    );
  }

  /** --generation says something about a task; where none is meant it would only look like a fence. */
  refuseStrayGeneration(command: CommandSpec): void {
    if (this.#generation() === undefined) return;
    const takesTask = command.arguments?.some(({ name }) => name === 'TASK') === true;
    if (!takesTask) throw new UsageError(`--generation has no meaning for ${command.name}.`, 'Leave it out.');
  }

  #generation(): number | undefined {
    const asked = text(this.values, 'generation');
    if (asked === undefined) return undefined;
    if (/^\d{1,15}$/.test(asked)) return Number(asked);
    throw new UsageError(`--generation takes a whole number, not ${JSON.stringify(asked)}.`);
  }

  async #earlier(task: TaskId): Promise<Entry | undefined> {
    const key = text(this.values, 'idempotency-key');
    if (key === undefined) return undefined;
    const { keyedEntry } = await import('../../handoff/record/keyed-entry.ts');
    return await keyedEntry(await this.context(), task, key);
  }
}

/** `STAFFETTA_LEG=task/generation`, as `take` prints it. */
function legFrom(env: NodeJS.ProcessEnv): { readonly task: TaskId; readonly generation: number } | undefined {
  const given = env['STAFFETTA_LEG'];
  if (given === undefined || given === '') return undefined;
  const [task = '', generation = '', ...rest] = given.split('/');
  if (!isTaskId(task) || !/^\d{1,15}$/.test(generation) || rest.length > 0) {
    throw new UsageError(
      `STAFFETTA_LEG should be TASK/GENERATION, not ${JSON.stringify(given)}.`,
      'Set it as take printed it, or unset it and name the task.',
    );
  }
  return { task, generation: Number(generation) };
}
