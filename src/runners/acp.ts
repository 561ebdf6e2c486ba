/**
 * A program that speaks the Agent Client Protocol. The library starts and ends no process: that is done here. Files and terminals are
 * not offered to the agent, which has its own. A yes to a question is `allow_once`: what an agent remembers would outlive the leg.
 *
 *   start ─► initialize ─► session/new, or session/resume, or session/load ─► set_mode, model ─► session/prompt …
 *
 * Why a turn ended proves nothing: adapters report a missing key and an exhausted account as `end_turn`.
 */
import { client, methods, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { LegOrder, LegUsage, Runner, SessionPlace } from '../ports/runner.ts';
import type { Runtime } from '../ports/runtime.ts';
import {
  AskedPermission,
  Capabilities,
  NewSession,
  Notified,
  permissionFor,
  Prompted,
  SessionSetting,
  signOf,
} from './acp-said.ts';
import { acpStream } from './acp-stream.ts';
import { startAgent, type AgentProgram } from './agent-program.ts';
import { keptSession } from './kept-session.ts';
import { mannerIn } from './headless.ts';
import { programLeg } from './program-leg.ts';
import { settlesWithin, Turns } from './turns.ts';
import { UsageCount } from './usage-count.ts';

export interface AcpAgent {
  readonly runtime: Pick<Runtime, 'name' | 'sessions' | 'working'>;
  /** The program that speaks it. */
  readonly program: string;
  /** The agent's own program, if there is another that speaks the protocol for it. */
  readonly installed: string | null;
  /** Further arguments for it. */
  readonly extra?: readonly string[];
}

export interface AcpOptions {
  readonly graceMs?: number;
  readonly openMs?: number;
}

export function acpRunner(
  agent: AcpAgent,
  { graceMs = limits.programGraceMs, openMs = limits.agentOpenMsMax }: AcpOptions = {},
): Runner {
  return {
    kind: 'acp',
    enforces: (order) => new Set(agent.runtime.working.acp.holds(order)),
    async open(order) {
      const { runtime, program, installed } = agent;
      const way = runtime.working.acp;
      const started = await startAgent(order, {
        program,
        args: [...way.args, ...(agent.extra ?? [])],
        env: way.env?.(order, order.folder, installed),
        graceMs,
      });
      const conversation = new Conversation(runtime, started, order);
      const opening = conversation.open();
      const isInTime = await settlesWithin(opening, openMs);
      try {
        if (!isInTime) throw refusal(`${runtime.name} did not open a session within ${openMs} ms.`);
        await opening;
      } catch (error) {
        opening.catch(() => {});
        const complaint = started.complaint();
        await started.end();
        if (error instanceof StaffettaError) throw error;
        if (isUnknownUser(error)) throw unknownUser(runtime, error);
        const why = [error instanceof Error ? error.message : String(error), complaint].filter(Boolean);
        throw refusal(`${runtime.name} did not open a session: ${why.join('\n')}`, error);
      }
      return programLeg(started, conversation.turns, {
        session: () => conversation.session,
        begin: (prompt) => void conversation.prompt(prompt),
        cancel: () => conversation.cancel(),
        graceMs,
      });
    },
  };
}

function refusal(message: string, cause?: unknown): StaffettaError {
  return new StaffettaError('unavailable', message, {
    cause,
    hint: 'See whether the program works by itself, is signed in, and knows the mode and the model.',
  });
}

/** By the code that the protocol has for it. */
function isUnknownUser(error: unknown): boolean {
  return error instanceof RequestError && error.code === RequestError.authRequired().code;
}

function unknownUser({ name, working }: AcpAgent['runtime'], cause: unknown): StaffettaError {
  return new StaffettaError('unavailable', `${name} opens no session for a user it does not know.`, {
    cause,
    hint: working.acp.wants ?? 'Sign in to it by itself, then try again.',
  });
}

/** Words that begin with a slash may be a command of the program. */
function wordsOf(prompt: string): string {
  return prompt.trimStart().startsWith('/') ? `Prompt: ${prompt}` : prompt;
}

class Conversation {
  readonly turns: Turns;
  readonly #runtime: AcpAgent['runtime'];
  readonly #order: LegOrder;
  readonly #peer: ClientContext;
  readonly #isGone: AbortSignal;
  #id = '';
  #place: SessionPlace | null = null;
  readonly #used: UsageCount;

  constructor(runtime: AcpAgent['runtime'], program: AgentProgram, order: LegOrder) {
    this.#runtime = runtime;
    this.#order = order;
    this.turns = new Turns(order);
    this.#used = new UsageCount(order.session !== undefined);
    const garbage = (): void => this.turns.tell({ kind: 'noise', why: 'garbage' });
    const asIs = { parse: (params: unknown): unknown => params };
    const connection = client({ name: 'staffetta' })
      .onNotification(methods.client.session.update, asIs, ({ params }) => this.#hear(params))
      .onRequest(
        methods.client.session.requestPermission,
        asIs,
        async ({ params }) => await this.#ask(params),
      )
      .onNotification('*', () => this.turns.tell({ kind: 'life' }))
      .connect(acpStream(program, garbage));
    this.#peer = connection.agent;
    this.#isGone = connection.signal;
  }

  get session(): SessionPlace | null {
    return this.#place;
  }

  async open(): Promise<void> {
    const said = Capabilities.safeParse(
      await this.#call(methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'staffetta', version: '1' },
      }),
    );
    if (!said.success || said.data.protocolVersion !== 1)
      throw refusal(`${this.#runtime.name} does not speak version 1 of the Agent Client Protocol.`);
    const setting = await this.#begin(said.data);
    await this.#setMode(setting);
    await this.#setModel(setting);
    await this.#find();
  }

  /** What it answers is looked at before it is believed. */
  async #call(method: string, params: unknown): Promise<unknown> {
    return await this.#peer.request(method, params);
  }

  async #begin({ agentCapabilities: can }: ReturnType<typeof Capabilities.parse>): Promise<SessionSetting> {
    const { folder: cwd, session } = this.#order;
    if (session === undefined) {
      const begun = await this.#call(methods.agent.session.new, { cwd, mcpServers: [] });
      this.#id = NewSession.parse(begun).sessionId;
      return SessionSetting.parse(begun);
    }
    this.#id = session.id;
    this.#place = session;
    const method =
      (can?.sessionCapabilities?.resume ?? null) !== null
        ? methods.agent.session.resume
        : can?.loadSession === true
          ? methods.agent.session.load
          : null;
    const params = { sessionId: session.id, cwd, mcpServers: [] };
    try {
      if (method !== null) return SessionSetting.parse((await this.#call(method, params)) ?? {});
    } catch (cause) {
      if (!(cause instanceof RequestError) || isUnknownUser(cause)) throw cause;
      throw notResumable(this.#runtime.name, session.id, cause);
    }
    throw notResumable(this.#runtime.name, session.id);
  }

  /** By what the agent itself lists, in either of the two ways that the protocol has for it. */
  async #setMode({ modes, configOptions }: SessionSetting): Promise<void> {
    const { access, mode } = this.#order;
    const { looks } = this.#runtime.working.acp;
    const wanted = mode !== undefined ? [mode] : access === 'look' ? looks : [];
    if (access === 'change' && wanted.length === 0) return;
    const option = configOptions?.find(({ category }) => category === 'mode');
    const listed = modes?.availableModes.map(({ id }) => id) ?? valuesOf(option);
    const chosen = wanted.find((one) => listed.includes(one) && (access === 'change' || looks.includes(one)));
    if (chosen === undefined)
      throw refusal(
        `${this.#runtime.name} has no such way of working: ${mannerIn(this.#order)}. Its modes are: ${listed.join(', ') || 'none'}.`,
      );
    const sessionId = this.#id;
    if (modes !== undefined)
      await this.#peer.request(methods.agent.session.setMode, { sessionId, modeId: chosen });
    else
      await this.#peer.request(methods.agent.session.setConfigOption, {
        sessionId,
        configId: option?.id ?? '',
        value: chosen,
      });
  }

  async #setModel({ configOptions }: SessionSetting): Promise<void> {
    const { model } = this.#order;
    if (model === undefined) return;
    const option = configOptions?.find(({ category }) => category === 'model');
    if (option === undefined || !valuesOf(option).includes(model))
      throw refusal(
        `${this.#runtime.name} does not offer the model ${model}. Its models are: ${valuesOf(option).join(', ') || 'not said'}.`,
      );
    await this.#peer.request(methods.agent.session.setConfigOption, {
      sessionId: this.#id,
      configId: option.id,
      value: model,
    });
  }

  /** Some write a session down with its first turn. */
  async #find(): Promise<void> {
    this.#place ??= await keptSession(this.#runtime, this.#order.folder, this.#id);
  }

  async prompt(prompt: string): Promise<void> {
    const text = wordsOf(prompt);
    try {
      const answer = await this.#call(methods.agent.session.prompt, {
        sessionId: this.#id,
        prompt: [{ type: 'text', text }],
      });
      await this.#find();
      this.#over(answer);
    } catch (error) {
      // Of one that is gone its exit tells.
      if (this.#isGone.aborted) return;
      if (error instanceof RequestError && error.code === 429)
        this.turns.meet({ kind: 'usage', until: null });
      this.turns.end({ how: 'refused', said: error instanceof Error ? error.message : String(error) });
    }
  }

  #over(answer: unknown): void {
    const said = Prompted.safeParse(answer);
    if (!said.success) {
      this.turns.end({ how: 'refused', said: 'It did not say why its turn ended.' });
      return;
    }
    const { stopReason, usage } = said.data;
    if (usage !== undefined) {
      this.#used.add({ tokens: usage.totalTokens });
      this.turns.tell({ kind: 'usage', usage: this.#used.now });
    }
    if (stopReason === 'max_tokens') this.turns.meet({ kind: 'context', until: null });
    const isRefused = stopReason === 'refusal' || stopReason === 'cancelled';
    this.turns.end({ how: isRefused ? 'refused' : 'over' });
  }

  cancel(): void {
    this.#peer.notify(methods.agent.session.cancel, { sessionId: this.#id }).catch(() => {});
  }

  #hear(params: unknown): void {
    const said = Notified.safeParse(params);
    if (!said.success) this.turns.tell({ kind: 'noise', why: 'garbage' });
    // Before the first session is known, whatever is said is of none.
    else if (said.data.sessionId !== this.#id && this.#id !== '')
      this.turns.tell({ kind: 'noise', why: 'other-session' });
    // What is told of a session that was loaded was said long ago.
    else if (this.turns.underWay === null) this.turns.tell({ kind: 'life' });
    else {
      const sign = signOf(said.data);
      if (sign.kind === 'usage') this.#count(sign.usage);
      else this.turns.tell(sign);
    }
  }

  #count({ context, cost }: LegUsage): void {
    if (context !== undefined) this.#used.fill(context);
    // Of the whole session.
    if (cost !== undefined) this.#used.set({ cost });
    this.turns.tell({ kind: 'usage', usage: this.#used.now });
  }

  async #ask(params: unknown): Promise<{ readonly outcome: Readonly<Record<string, string>> }> {
    const cancelled = { outcome: { outcome: 'cancelled' } };
    const asked = AskedPermission.safeParse(params);
    if (!asked.success) throw RequestError.invalidParams();
    const { sessionId, toolCall, options } = asked.data;
    if (sessionId !== this.#id) {
      this.turns.tell({ kind: 'noise', why: 'other-session' });
      return cancelled;
    }
    const answer = await this.turns.ask({
      permission: permissionFor(toolCall, this.#order.folder),
      what: toolCall.title ?? '',
    });
    if (answer === 'dropped') return cancelled;
    const kind = answer === 'allow' ? 'allow_once' : 'reject_once';
    const option = options.find((one) => one.kind === kind);
    return option === undefined ? cancelled : { outcome: { outcome: 'selected', optionId: option.optionId } };
  }
}

function notResumable(name: string, id: string, cause?: unknown): StaffettaError {
  return new StaffettaError('not-resumable', `${name} does not go on with the session ${id}.`, {
    cause,
    hint: 'Begin a new session from the latest packet.',
  });
}

function valuesOf(option: NonNullable<SessionSetting['configOptions']>[number] | undefined): string[] {
  return (option?.options ?? []).flatMap((one) =>
    'options' in one ? one.options.map(({ value }) => value) : [one.value],
  );
}
