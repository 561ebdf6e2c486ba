/** A store on another machine, as an end of a move. Each call is one question to the program there. */
import {
  FarGreeting,
  farAnswers,
  farVersion,
  FarReply,
  type FarAnswer,
  type FarQuestion,
} from '../../core/archive/far-words.ts';
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { sanitize } from '../../core/base/sanitize.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { ImportSource } from '../../handoff/trust/import.ts';
import type { Arrived, Moved, MoveEnd, MoveStanding } from '../../handoff/trust/move.ts';
import { failureIn, lost, type Wire } from './wire.ts';

type Asked<A extends FarQuestion['ask']> = Omit<Extract<FarQuestion, { readonly ask: A }>, 'ask'>;

/** What a shell says before the program starts: a greeting of its own, for one. */
const noiseLinesMax = 200;

export class FarStore implements MoveEnd {
  readonly #wire: Wire;
  readonly #host: string;
  #opened: FarAnswer<'open'> | undefined;

  constructor(wire: Wire, host: string) {
    this.#wire = wire;
    this.#host = host;
  }

  /** Whether the other end is one of ours, and which. Nothing is asked before that. */
  async awaitGreeting(): Promise<boolean> {
    for (let lines = 0; lines < noiseLinesMax; lines += 1) {
      const line = await this.#wire.line();
      if (line === undefined) return false;
      const greeting = FarGreeting.safeParse(looseJson(line));
      if (!greeting.success) continue;
      const { v, version } = greeting.data;
      if (v === farVersion) return true;
      throw new StaffettaError(
        'far-unreachable',
        `Staffetta ${version} there speaks version ${v} of this, and here it is ${farVersion}.`,
        { hint: 'Nothing was moved. Use the same version on both machines.' },
      );
    }
    return false;
  }

  async open(asked: {
    readonly folder: string | undefined;
    readonly by: Actor;
    readonly dryRun: boolean;
  }): Promise<FarAnswer<'open'>> {
    const { by, dryRun } = asked;
    this.#opened = await this.#ask('open', { by, dryRun, ...defined({ folder: asked.folder }) });
    return this.#opened;
  }

  get name(): string {
    return this.#opened?.name ?? '';
  }

  async list(): Promise<FarAnswer<'list'>> {
    return await this.#ask('list', {});
  }

  async find(task: string): Promise<TaskId> {
    return await this.#ask('find', { task });
  }

  async rest(task: TaskId, why: string): Promise<void> {
    await this.#ask('rest', { task, why });
  }

  async hasCommit(commit: string): Promise<boolean | null> {
    return await this.#ask('has-commit', { commit });
  }

  async standing(task: TaskId): Promise<MoveStanding | undefined> {
    return (await this.#ask('standing', { task })) ?? undefined;
  }

  /** As often as it is read it is asked for: keep it where it is read twice. */
  copy(task: TaskId): ImportSource {
    const wire = this.#wire;
    const told = (error: unknown): unknown => (isStaffettaError(error) ? this.#told(error) : error);
    const ended = async (): Promise<unknown> => await this.#answer('copy');
    return async function* () {
      await wire.say({ ask: 'copy', task });
      try {
        yield* wire.poured();
      } catch (error) {
        throw told(error);
      }
      await ended();
    };
  }

  async leave(task: TaskId, to: string, why?: string): Promise<void> {
    await this.#ask('leave', { task, to, ...defined({ why }) });
  }

  async adopt(source: ImportSource, dryRun: boolean): Promise<Moved> {
    return await this.#ask('adopt', { dryRun }, source);
  }

  async arrive(task: TaskId, from: string): Promise<Arrived> {
    return await this.#ask('arrive', { task, from });
  }

  async #ask<A extends FarQuestion['ask']>(
    ask: A,
    asked: Asked<A>,
    bytes?: ImportSource,
  ): Promise<FarAnswer<A>> {
    try {
      await this.#wire.say({ ask, ...asked });
      if (bytes !== undefined) await this.#wire.pour(bytes());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined || error instanceof StaffettaError) throw error;
      // An end that gave up has said why.
    }
    return await this.#answer(ask);
  }

  async #answer<A extends FarQuestion['ask']>(ask: A): Promise<FarAnswer<A>> {
    const message = await this.#wire.hear();
    const failure = failureIn(message);
    if (failure !== undefined) throw this.#told(failure);
    const reply = FarReply.safeParse(message);
    const answer = reply.success && 'ok' in reply.data ? farAnswers[ask].safeParse(reply.data.ok) : undefined;
    if (answer?.success !== true) throw this.#told(lost());
    return answer.data as FarAnswer<A>;
  }

  #told({ code, message, hint, details }: StaffettaError): StaffettaError {
    return new StaffettaError(code, `${this.#host}: ${sanitize(message)}`, {
      details,
      ...(hint === undefined ? {} : { hint: sanitize(hint) }),
    });
  }
}

function looseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
