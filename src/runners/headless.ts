/**
 * A coding agent without a screen: each turn starts its program, which works until it has answered, and ends. The first turn begins a
 * session, or goes on with the one that the order names; every other goes on with that of the turn before. Nobody is asked anything:
 * what its options do not allow, the program declines.
 */
import { defined } from '../core/base/defined.ts';
import { randomUUID } from 'node:crypto';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { LegOrder, OpenLeg, Runner } from '../ports/runner.ts';
import type { HeardEvent, Manner, ProgramWay, Runtime, SessionPlace, Start } from '../ports/runtime.ts';
import { startAgent, type AgentProgram } from './agent-program.ts';
import { objectIn } from './bounded-lines.ts';
import { keptSession } from './kept-session.ts';
import { Turns } from './turns.ts';
import { UsageCount } from './usage-count.ts';

export type HeadlessRuntime = Pick<Runtime, 'name' | 'locate' | 'launch' | 'sessions' | 'working'>;

export function headlessRunner(
  runtime: HeadlessRuntime,
  { graceMs = limits.programGraceMs }: { readonly graceMs?: number } = {},
): Runner {
  return {
    kind: 'headless',
    enforces: (order) => new Set(runtime.working.headless({ permissions: {}, ...order })?.holds),
    async open(order) {
      const program = (await runtime.locate())?.program ?? null;
      if (program === null)
        throw new StaffettaError('runtime-missing', `${runtime.name} is not installed here.`, {
          hint: 'Install it, or let the agent work in another program.',
        });
      return new HeadlessLeg(runtime, order, { program, way: wayOf(runtime, order), graceMs });
    },
  };
}

function wayOf({ name, working }: HeadlessRuntime, order: Manner): ProgramWay {
  const way = working.headless(order);
  if (way !== null) return way;
  throw new StaffettaError('unavailable', `${name} has no such way of working: ${mannerIn(order)}.`, {
    hint: 'Leave the mode out, or let the agent work in another program.',
  });
}

/** In a word or two, for messages. */
export function mannerIn({ access, mode }: Pick<Manner, 'access' | 'mode'>): string {
  return [access === 'look' ? 'look only' : 'change', ...(mode === undefined ? [] : [`mode ${mode}`])].join(
    ', ',
  );
}

interface Setting {
  readonly program: string;
  readonly way: ProgramWay;
  readonly graceMs: number;
}

class HeadlessLeg implements OpenLeg {
  readonly #runtime: HeadlessRuntime;
  readonly #order: LegOrder;
  readonly #setting: Setting;
  readonly #turns: Turns;
  #session: SessionPlace | null = null;
  /** What the program calls the session of the latest turn. */
  #id: string | undefined;
  readonly #used: UsageCount;
  #agent: AgentProgram | null = null;
  #running: Promise<void> = Promise.resolve();
  #left: readonly AgentProgram[] = [];
  #isClosed = false;

  constructor(runtime: HeadlessRuntime, order: LegOrder, setting: Setting) {
    this.#runtime = runtime;
    this.#order = order;
    this.#setting = setting;
    this.#turns = new Turns(order);
    this.#session = order.session ?? null;
    this.#id = order.session?.id;
    this.#used = new UsageCount(order.session !== undefined);
  }

  get session(): SessionPlace | null {
    return this.#session;
  }

  async turn(prompt: string): ReturnType<OpenLeg['turn']> {
    if (this.#isClosed) return { how: 'ended', said: 'The leg is closed.' };
    const ended = this.#turns.begin();
    if (ended === null) return { how: 'refused', said: 'Another turn is under way.' };
    this.#running = this.#run(prompt);
    return await ended;
  }

  async stop(): Promise<void> {
    if (this.#turns.underWay === null) return;
    this.#turns.willStop();
    await this.#agent?.end();
    await this.#running;
  }

  async close(): Promise<{ readonly left: readonly number[] }> {
    this.#isClosed = true;
    await this.stop();
    const left = await Promise.all(this.#left.map(async (agent) => await agent.end()));
    return { left: left.flat() };
  }

  async #run(prompt: string): Promise<void> {
    try {
      this.#agent = await this.#start(prompt);
      // It was stopped while it started.
      if (this.#turns.isStopping) await this.#agent.end();
      const failed = await this.#listen(this.#agent);
      const { exit, signal } = await this.#agent.over;
      // Of what it left nothing could be ended: it is tried once more when the leg is closed.
      if ((await this.#agent.end()).length > 0) this.#left = [...this.#left, this.#agent];
      const end = { exit, signal };
      if (failed !== undefined) this.#turns.end({ ...end, how: 'refused', said: failed });
      else if (exit === 0) this.#turns.end({ ...end, how: 'over' });
      else this.#turns.end({ ...end, how: 'ended', said: this.#agent.complaint() });
    } catch (error) {
      if (!(error instanceof StaffettaError)) throw error;
      this.#turns.end({ how: 'refused', said: error.message });
    } finally {
      this.#agent = null;
    }
  }

  async #start(prompt: string): Promise<AgentProgram> {
    const { program, way, graceMs } = this.#setting;
    const { folder, model } = this.#order;
    if (this.#id !== this.#session?.id)
      throw new StaffettaError('not-resumable', `The session ${this.#id} of the turn before was not found.`);
    const start: Start =
      this.#session === null
        ? { kind: 'new', id: randomUUID() }
        : { kind: 'continue', session: this.#session };
    const launch = this.#runtime.launch(
      start,
      { kind: 'headless', text: prompt, output: 'events' },
      { folder, program, extra: way.args, ...defined({ model }) },
    );
    const agent = await startAgent(this.#order, {
      program: launch.program,
      args: launch.args,
      env: { ...launch.env, ...way.env },
      cwd: launch.cwd,
      graceMs,
    });
    agent.write(launch.stdin ?? '');
    agent.hangUp();
    return agent;
  }

  /** Why it could not go on, if it says so. */
  async #listen(agent: AgentProgram): Promise<string | undefined> {
    let failed: string | undefined;
    let id: string | undefined;
    for await (const line of agent.lines) {
      const event = objectIn(line);
      if (event === undefined) {
        this.#turns.tell({ kind: 'noise', why: 'garbage' });
        continue;
      }
      const heard = this.#runtime.working.hear(event);
      if (heard.length === 0) this.#turns.tell({ kind: 'life' });
      for (const one of heard) {
        if (one.kind === 'failed') failed = one.text;
        else if (one.kind === 'session') {
          if (id !== undefined && one.id !== id) this.#turns.tell({ kind: 'noise', why: 'other-session' });
          else if (id === undefined) {
            id = one.id;
            this.#id = id;
            await this.#name(id);
          }
        } else this.#tell(one);
      }
    }
    if (id !== undefined) await this.#name(id);
    return failed;
  }

  /** A program writes a new session down some time after it has named it. */
  async #name(id: string): Promise<void> {
    if (this.#session?.id === id) return;
    this.#session = (await keptSession(this.#runtime, this.#order.folder, id)) ?? this.#session;
  }

  #tell(heard: Exclude<HeardEvent, { readonly kind: 'failed' | 'session' }>): void {
    if (heard.kind === 'limit') this.#turns.meet({ kind: heard.limit, until: heard.until });
    else if (heard.kind === 'usage') {
      if (heard.isWhole === true) this.#used.set(heard);
      else this.#used.add(heard);
      this.#turns.tell({ kind: 'usage', usage: this.#used.now });
    } else this.#turns.tell(heard);
  }
}
