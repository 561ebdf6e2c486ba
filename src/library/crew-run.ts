/** A run of a crew in this process. Loaded when the first one begins. */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { checkPlan } from '../core/plan/check-plan.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { Actor } from '../core/task/actor.ts';
import type { Status } from '../core/task/state.ts';
import type { TaskBudget } from '../core/contract/terms.ts';
import type { Story } from '../core/transcript/story.ts';
import { loadRuntimes } from '../compose/runtimes.ts';
import { openCrewGround } from '../compose/workspace.ts';
import { openRun } from '../crew/open-run.ts';
import {
  cancelPlanned,
  cancelWhole,
  givePlanned,
  runToSteer,
  steerRun,
  type SteerRun,
} from '../crew/steering/steer-run.ts';
import { supervise } from '../crew/supervise.ts';
import type { CrewSite, Post } from '../crew/site.ts';
import { contextOf } from '../desk/context.ts';
import { readersOf, readStory } from '../handoff/history/story.ts';
import type { Context } from '../handoff/record/context.ts';
import { exhaustedHere } from '../home/exhausted-here.ts';
import { idle } from '../handoff/record/keep-lease.ts';
import { briefTask } from '../handoff/views/brief.ts';
import { functionRunner } from '../runners/function.ts';
import { isProcessGone, ownProcess } from '../process/own-process.ts';
import type { CrewAct, CrewChange, CrewMember, CrewRouterFunction, CrewRun, Receives } from './crew.ts';

export interface RunHere {
  readonly context: Context;
  readonly by: Actor;
  readonly folder?: string;
  readonly actOf: (post: Post) => CrewAct;
  readonly router?: CrewRouterFunction;
}

export async function beginRun(given: RunDocument, here: RunHere): Promise<CrewRun> {
  const errors = checkPlan(given.plan, given.crew, { functions: Object.keys(given.crew.agents) }).filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0)
    throw new StaffettaError('invalid-input', errors.map(({ text }) => text).join(' '), {
      details: { findings: errors },
    });
  const { store, clock, entropy, gate, reached } = here.context;
  const env = process.env;
  // What the run itself writes is about no folder.
  const context = contextOf(store, { env, clock, entropy, gate, reached });
  const ground = here.folder === undefined ? null : await openCrewGround(here.folder, store, env);
  const base = ground === null ? undefined : (await ground.trees.ground(given.plan.base ?? 'HEAD')).commit;
  const document = { ...given, ...defined({ base }) };
  const site: CrewSite = {
    context,
    ground,
    contextIn: (folder) => contextOf(store, { workspace: folder, env, clock, entropy, gate, reached }),
    session: ownProcess(),
    exhausted: exhaustedHere(store),
    isGone: async (session) => await Promise.resolve(isProcessGone(session)),
    ...(here.router === undefined
      ? {}
      : {
          route: async (_document, request, told) => await within(clock, here.router?.(request), told),
        }),
    employ: async (post) => {
      const { act, receives } = here.actOf(post);
      const story = post.for === 'work' ? await storyFor(post.context, post.leg.task, receives) : null;
      const runner = functionRunner(async ({ prompt, signal }) => {
        await act({ prompt, story, folder: post.folder, signal });
      });
      return { runner, order: { env: {} }, prompt: await promptOf(post) };
    },
  };
  await openRun(context, document, { by: here.by, why: 'Begun by a program.' });
  return new Running(site, document, here.by).begin();
}

/** A function that does not answer is not waited for. */
async function within<T>(clock: Context['clock'], answer: T | Promise<T>, told: AbortSignal): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  told.addEventListener('abort', end);
  const late = idle({ clock }, routerMsMax, over.signal).then(() => {
    throw new StaffettaError('invalid-input', `it did not answer in ${routerMsMax / 1000} s.`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    told.removeEventListener('abort', end);
    over.abort();
  }
}

const routerMsMax = 120_000;

let known: ReturnType<typeof readersOf> | undefined;

async function readers(): Promise<ReturnType<typeof readersOf>> {
  return (known ??= readersOf(await loadRuntimes(process.env)));
}

async function promptOf(post: Post): Promise<string> {
  if (post.for === 'review') return `Review ${post.task}.`;
  const { prompt } = await briefTask(post.context, post.leg.task, {
    // A leg that received nothing has no session to tell of; the readers of all programs take 20 ms to load.
    readerOf: post.leg.received === null ? () => undefined : await readers(),
    alone: true,
  });
  return prompt;
}

async function storyFor(
  context: Context,
  task: Parameters<typeof readStory>[1],
  receives: Receives,
): Promise<Story | null> {
  if (receives === 'briefing') return null;
  const story = await readStory(context, task, await readers());
  return receives === 'full' ? story : await receives(story);
}

class Running implements CrewRun {
  readonly #site: CrewSite;
  readonly #document: RunDocument;
  readonly #by: Actor;
  readonly #halt = new AbortController();
  readonly #statuses = new Map<string, Status>();
  readonly #changes: CrewChange[] = [];
  #bell = Promise.withResolvers<void>();
  #isOver = false;
  done: CrewRun['done'] = Promise.reject(new Error('it has not begun'));

  constructor(site: CrewSite, document: RunDocument, by: Actor) {
    this.#site = site;
    this.#document = document;
    this.#by = by;
    this.done.catch(() => {});
  }

  begin(): this {
    const run = supervise(this.#site, this.#document.name, {
      signal: this.#halt.signal,
      onChange: ({ statuses, changed }) => this.#see(statuses, changed),
    });
    this.done = this.#finish(run);
    // Who only listens hears of the end by the listening.
    this.done.catch(() => {});
    return this;
  }

  async #finish(run: CrewRun['done']): CrewRun['done'] {
    try {
      const end = await run;
      this.#see(end.statuses, end.statuses.keys());
      return end;
    } finally {
      this.#isOver = true;
      this.#bell.resolve();
    }
  }

  #see(statuses: ReadonlyMap<string, Status>, changed: Iterable<string>): void {
    for (const task of changed) {
      const status = statuses.get(task);
      if (status === undefined || this.#statuses.get(task) === status) continue;
      this.#statuses.set(task, status);
      this.#changes.push({ task, status });
    }
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }

  /** From the beginning of the run, for each listener. */
  async *[Symbol.asyncIterator](): AsyncIterator<CrewChange> {
    for (let at = 0; ;) {
      const bell = this.#bell.promise;
      for (; at < this.#changes.length; at += 1) {
        const change = this.#changes[at];
        if (change !== undefined) yield change;
      }
      if (this.#isOver && at >= this.#changes.length) {
        await this.done;
        return;
      }
      if (at >= this.#changes.length && !this.#isOver) await bell;
    }
  }

  async #steer(how: SteerRun): Promise<void> {
    const { context } = this.#site;
    await steerRun(context, await runToSteer(context, this.#document.name), how, { by: this.#by });
  }

  async pause(why: string): Promise<void> {
    await this.#steer({ paused: true, why });
  }

  async resume(why: string): Promise<void> {
    await this.#steer({ paused: false, why });
  }

  async parallel(most: number, why: string): Promise<void> {
    await this.#steer({ parallel: most, why });
  }

  async caps(caps: TaskBudget, why: string): Promise<void> {
    await this.#steer({ caps, why });
  }

  async cancel(task: string | null, why: string): Promise<void> {
    const { context } = this.#site;
    const call = { by: this.#by };
    if (task !== null) await cancelPlanned(context, this.#document.name, { task, why }, call);
    else await cancelWhole(context, (await runToSteer(context, this.#document.name)).task, why, call);
  }

  async give(task: string, to: CrewMember | string | null, why: string): Promise<void> {
    const agent = typeof to === 'string' ? to : to?.name;
    await givePlanned(this.#site.context, this.#document.name, { task, agent, why }, { by: this.#by });
  }

  async stop(): CrewRun['done'] {
    this.#halt.abort();
    return await this.done;
  }
}
