import { defined, filled } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { homeOf, isThere, type Home } from '../../home/home.ts';
import { locateStore, told, type Located } from '../../home/locate.ts';
import { refuseForeign } from '../../home/foreign-store.ts';
import { openStore } from '../../compose/open-store.ts';
import type { Context } from '../../handoff/record/context.ts';
import type { Call } from '../../handoff/record/record.ts';
import type { Held } from '../../handoff/verbs/carry.ts';
import { closeContext, contextOf } from '../../desk/context.ts';
import {
  earlierBy,
  legFromEnvironment,
  refuseNeverTaken,
  refuseOthersLeg,
  standingOf,
  taskMeant,
  tasksHeld,
  type Standing,
} from '../../desk/standing.ts';
import { recordedSpeaker } from '../../home/session-record.ts';
import { memoryAddress, type StoreAddress } from '../../ports/store-address.ts';
import { beneath, speakerAt } from '../../desk/speaker.ts';
import { createOutput, type Output } from '../frame/output.ts';
import type { CommandSpec, Values } from '../frame/spec.ts';
import { UsageError, usageError } from '../frame/usage.ts';
import { text } from '../frame/values.ts';

/** One run of the command: who speaks, to which store, and how the answer is shown. */
export class Session {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  #located: Located | undefined;
  readonly values: Values;
  readonly #cwd: () => string;
  readonly #streams: Parameters<typeof createOutput>[0];
  #actor: Actor | undefined;
  #context: Context | undefined;
  #empty: Context | undefined;

  constructor(values: Values, streams: Parameters<typeof createOutput>[0], cwd: () => string) {
    const { env } = process;
    this.values = values;
    this.env = env;
    this.output = createOutput(streams, {
      json: values['json'] === true,
      quiet: values['quiet'] === true,
      env,
    });
    this.#cwd = cwd;
    this.#streams = streams;
  }

  /** Another command, with the same store and in the same name. */
  async perform(words: readonly string[]): Promise<number> {
    const { parseCommandLine } = await import('../frame/parse.ts');
    const { invocation, values } = parseCommandLine([...words, ...this.saidOfCaller]);
    if (invocation === undefined) return 0;
    await this.close();
    const session = new Session(values, this.#streams, this.#cwd);
    try {
      const { run } = await invocation.command.load();
      return await run(invocation, session);
    } finally {
      await session.close();
    }
  }

  /** Which store, and in whose name, as this call says it: what is advised goes on with the same. */
  get saidOfCaller(): string[] {
    return ['store', 'as', 'lane', 'runtime'].flatMap((name) => {
      const value = text(this.values, name);
      return value === undefined ? [] : [`--${name}`, value];
    });
  }

  /** Looked for when it is first asked: not every command needs a store. */
  get located(): Located {
    const given = text(this.values, 'store') ?? (this.env['STAFFETTA_STORE'] || undefined);
    this.#located ??= given === undefined ? locateStore(this.#cwd(), this.env) : told(given);
    return this.#located;
  }

  get actor(): Actor {
    this.#actor ??= this.#speaker();
    return this.#actor;
  }

  /** What the call and the environment say, and what a hook has recorded of the session that this command runs in. */
  #speaker(): Actor {
    const { home, env } = this;
    return speakerAt({
      env,
      refuse: usageError,
      asserted: {
        as: text(this.values, 'as'),
        lane: text(this.values, 'lane'),
        runtime: text(this.values, 'runtime'),
      },
      recorded: (runtime) => (home === undefined ? undefined : recordedSpeaker(home, env, runtime)),
    });
  }

  get dryRun(): boolean {
    return this.values['dry-run'] === true;
  }

  /** Where the store is or will be. */
  get store(): StoreAddress {
    return this.located.store;
  }

  /** What is this machine's own of the store. */
  get home(): Home | undefined {
    return homeOf(this.store, this.env);
  }

  get storeExists(): boolean {
    return isThere(this.home);
  }

  call(): Call {
    const key = text(this.values, 'idempotency-key');
    return {
      by: this.actor,
      ...defined({ key }),
      ...filled({ dryRun: this.dryRun }),
    };
  }

  /**
   * For a verdict, which an agent must not give on its own work, and for the tokens with which one is given: the processes above this one are asked as well, since an environment
   * is easily emptied.
   */
  verdictCall(): Call {
    const call = this.call();
    const { home } = this;
    const record = home === undefined ? undefined : recordedSpeaker(home, {}, undefined);
    return record === undefined ? call : { ...call, by: beneath(call.by, record) };
  }

  /** The store, opened. One that is not there is created if asked; a dry run works on an empty one in memory instead. */
  async context(options: { readonly create?: boolean } = {}): Promise<Context> {
    if (this.#context !== undefined) return this.#context;
    const create = options.create === true;
    const address = create && this.dryRun && !this.storeExists ? memoryAddress : this.store;
    if (this.store === memoryAddress) this.output.say('The store memory: ends with this command.');
    refuseForeign(this.located);
    const store = await openStore(address, { create });
    this.#context = contextOf(store, { workspace: process.cwd(), env: this.env, answersFirst: true });
    await this.#nameOrphans(this.#context);
    return this.#context;
  }

  /** For looking before anything is made: where there is no store, an empty one that ends with this command. */
  async looking(): Promise<Context> {
    if (this.#context !== undefined || this.storeExists || this.dryRun)
      return await this.context({ create: true });
    const around = { workspace: process.cwd(), env: this.env };
    this.#empty ??= contextOf(await openStore(memoryAddress), around);
    return this.#empty;
  }

  /** Every later command names what a killed one left running. */
  async #nameOrphans(context: Context): Promise<void> {
    if ((context.orphans?.find() ?? []).length === 0) return;
    const { orphanLines } = await import('../pages/orphan-words.ts');
    for (const words of await orphanLines(context)) this.output.say(words, 'warn');
  }

  async close(): Promise<void> {
    if (this.#context !== undefined) await closeContext(this.#context);
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
   * it is refused unless that generation holds it now, also for what anybody may do. Who only looks may mean the one open task.
   */
  async task(
    given: string | undefined,
    { looks = false }: { readonly looks?: boolean } = {},
  ): Promise<TaskId> {
    const task = await this.#resolved(given, looks);
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

  async #resolved(given: string | undefined, looks = false): Promise<TaskId> {
    const caller = { by: this.actor, leg: () => this.#leg(), looks };
    return await taskMeant(
      async () => await this.context(),
      given,
      caller,
      (message) => usageError(message, 'Name it by its id, first; list them with: staffetta ls'),
    );
  }

  /** The task that an agent works on: where it speaks itself, the leg this process was given; else the only one it holds. */
  async legOf(agent: Actor): Promise<TaskId | undefined> {
    const given = agent.name === this.actor.name ? this.#leg() : undefined;
    if (given !== undefined) return given.task;
    const [only, second] = await tasksHeld(await this.context(), agent);
    return second === undefined ? only : undefined;
  }

  /**
   * The task, how it stands, and the generation to act under: what the call says, what the process was given, what a
   * repeated request was made under, or else what is now. A fence only holds if it is named by the one who was granted it.
   */
  async standing(given: string | undefined): Promise<Standing> {
    const leg = this.#leg();
    const asked = this.#generation();
    const task = await this.#resolved(given);
    return await standingOf(await this.context(), {
      task,
      asked,
      granted: leg?.task === task ? leg.generation : undefined,
      key: text(this.values, 'idempotency-key'),
    });
  }

  /** The same for what only a holder may do. */
  async held(given: string | undefined): Promise<Standing> {
    const found = await this.standing(given);
    if (found.isNamed) return found;
    refuseNeverTaken(found.state, this.actor);
    refuseOthersLeg(found.state, this.#leg());
    return found;
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
    return key === undefined ? undefined : await earlierBy(await this.context(), task, key);
  }

  #leg(): Held | undefined {
    return legFromEnvironment(this.env, usageError);
  }
}
