/**
 * A whole crew in memory, under a hand-moved clock and seeded chance: agents that lie in the ways that real ones were seen to, supervisors
 * that are killed at any call, two of them at once, a person who decides now and then. A seed gives the same run again.
 */
import type { RunDocument } from '../../src/core/plan/run-document.ts';
import type { Actor } from '../../src/core/task/actor.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import type { CrewSite, Post, ReviewPost, WorkPost } from '../../src/crew/site.ts';
import { openRun } from '../../src/crew/open-run.ts';
import { plannedId, runId } from '../../src/crew/run-names.ts';
import { supervise } from '../../src/crew/supervise.ts';
import type { RunSight } from '../../src/crew/run-sight.ts';
import type { EndOfRun } from '../../src/crew/take-run.ts';
import { findState } from '../../src/handoff/record/load.ts';
import { review } from '../../src/handoff/verbs/finish.ts';
import { redrive } from '../../src/handoff/verbs/offer.ts';
import { answer, steer } from '../../src/handoff/verbs/outside.ts';
import type { LegOrder, OpenLeg, TurnEnd } from '../../src/ports/runner.ts';
import { eve, HandClock, quiet, stage, type Stage } from '../support/world.ts';
import { SimGround, type SimTree } from './ground.ts';
import { minute, planOf } from './plan.ts';
import { Chance, SimProcess } from './process.ts';

export interface Simulated {
  readonly end: EndOfRun['how'] | 'late';
  readonly kills: number;
  readonly faults: number;
  /** Of questions on the run itself. */
  readonly answers: number;
  readonly virtualMs: number;
  readonly at: Stage;
  readonly ground: SimGround;
  readonly document: RunDocument;
}

const virtualMsMax = 48 * 60 * minute;

export async function simulate(seed: number): Promise<Simulated> {
  return await new Simulation(seed).run();
}

/** An agent at work, whoever started it. */
interface Working {
  readonly post: Post;
  readonly by: number;
  isStopped: boolean;
}

class Simulation {
  readonly #chance: Chance;
  readonly #at: Stage;
  readonly #ground = new SimGround();
  readonly #document: RunDocument;
  readonly #working = new Set<Working>();
  readonly #processes: SimProcess[] = [];
  readonly #isOneMachine: boolean;
  #faults = 0;
  #answers = 0;
  #kills = 0;
  #ends: EndOfRun[] = [];
  #failures: unknown[] = [];

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    this.#at = stage({ seed: seed + 1, gate: 'refuse', clock: new HandClock() });
    this.#isOneMachine = this.#chance.is(0.6);
    this.#document = planOf(this.#chance, this.#ground.base);
  }

  async run(): Promise<Simulated> {
    const { context, clock } = this.#at;
    await openRun(context, this.#document, { by: eve, why: 'Spring.' });
    const began = clock.now();
    this.#startSupervisor();
    if (this.#chance.is(0.2)) this.#startSupervisor();
    while (clock.now() - began < virtualMsMax && this.#failures.length === 0 && this.#ends.length === 0) {
      await clock.advance(this.#chance.one([20, 100, 1000, 5000, 20_000, 2 * minute]));
      for (let n = 0; n < 3; n += 1) await quiet();
      this.#check();
      await this.#checkCaps();
      if (this.#chance.is(0.08)) this.#killOne();
      if (this.#processes.every(({ isDead }) => isDead)) this.#startSupervisor();
      if (this.#chance.is(0.3)) await this.#person();
    }
    if (this.#failures.length > 0) throw this.#failures[0];
    const end = this.#ends.find(({ how }) => how === 'done' || how === 'failed')?.how ?? 'late';
    return {
      end,
      kills: this.#kills,
      faults: this.#faults,
      answers: this.#answers,
      virtualMs: clock.now() - began,
      at: this.#at,
      ground: this.#ground,
      document: this.#document,
    };
  }

  #startSupervisor(): void {
    const process = new SimProcess(this.#at, this.#processes.length, () => this.#fault(0.002));
    this.#processes.push(process);
    const site: CrewSite = {
      context: process.context,
      ground: this.#ground.port(),
      session: `process ${process.number}`,
      ...(this.#isOneMachine ? { isGone: async (session, leg) => this.#isGone(session, leg) } : {}),
      contextIn: (folder) => ({
        ...process.context,
        workspace: async () => this.#ground.workspaceAt(folder),
      }),
      employ: async (post) => ({
        runner: {
          kind: 'function',
          enforces: () => new Set(),
          open: async (order) => this.#open(post, order, process),
        },
        order: { env: {} },
        prompt: 'Begin.',
      }),
    };
    const onChange = (sight: RunSight): void => this.#checkSight(sight);
    void this.#supervised(supervise(site, 'wood', { pollMs: 5000, onChange }), process);
  }

  async #supervised(run: Promise<EndOfRun>, process: SimProcess): Promise<void> {
    try {
      this.#ends.push(await run);
    } catch (error) {
      // One that lost its run to another says so, and a run that is over needs nobody.
      const fine = ['stale-generation', 'wrong-state', 'not-addressed'];
      if (!isStaffettaError(error) || !fine.includes(error.code)) this.#failures.push(error);
    }
    process.kill();
  }

  /** On one machine it is known who lives, and what is left of the dead is ended. */
  #isGone(
    session: string,
    { task, generation }: { readonly task: string; readonly generation: number },
  ): boolean {
    const process = this.#processes.find(({ number }) => session === `process ${number}`);
    if (process?.isDead !== true) return false;
    for (const working of this.#working) {
      const { post } = working;
      if (post.for === 'work' && post.leg.task === task && post.leg.generation === generation)
        this.#endWork(working);
    }
    return true;
  }

  #killOne(): void {
    const living = this.#processes.filter(({ isDead }) => !isDead);
    if (living.length === 0 || this.#kills >= 12) return;
    this.#kills += 1;
    const process = this.#chance.one(living);
    process.kill();
    // Functions die with their process; programs of their own may go on.
    for (const working of this.#working)
      if (working.by === process.number && this.#chance.is(0.5)) this.#endWork(working);
  }

  #endWork(working: Working): void {
    this.#working.delete(working);
    const { folder } = working.post;
    if (folder !== null) this.#ground.trees.get(folder)?.users.delete(legName(working.post));
  }

  /** A fault of which there are so many that a run can end. */
  #fault(share: number): boolean {
    if (this.#faults >= 30 || !this.#chance.is(share)) return false;
    this.#faults += 1;
    return true;
  }

  #open(post: Post, order: LegOrder, process: SimProcess): OpenLeg {
    if (this.#fault(0.03)) throw new Error('the program is not there');
    const working: Working = { post, by: process.number, isStopped: false };
    this.#working.add(working);
    if (post.folder !== null) this.#ground.treeAt(post.folder).users.add(legName(post));
    this.#checkStart(post);
    const halt = Promise.withResolvers<TurnEnd>();
    return {
      session: null,
      turn: async () => {
        const turn = post.for === 'work' ? this.#work(post, order, working) : this.#judge(post);
        return await Promise.race([
          turn.catch((error: unknown): TurnEnd => ({ how: 'refused', said: String(error) })),
          halt.promise,
        ]);
      },
      stop: async () => {
        working.isStopped = true;
        await this.#at.clock.sleep(1000);
        halt.resolve({ how: 'stopped', said: '' });
      },
      close: async () => {
        working.isStopped = true;
        this.#endWork(working);
        return { left: [] };
      },
    };
  }

  async #work(post: WorkPost, order: LegOrder, working: Working): Promise<TurnEnd> {
    const { clock } = this.#at;
    const tree = post.folder === null ? null : this.#ground.treeAt(post.folder);
    await clock.sleep(this.#chance.one([10, 500, 20_000, 3 * minute]));
    order.seen({ kind: 'said', text: 'at it' });
    if (this.#fault(0.06)) return { how: 'over', said: 'Error 429' };
    if (this.#fault(0.05)) return { how: 'ended', exit: 1, signal: null, said: 'crashed' };
    if (this.#fault(0.05)) {
      await clock.sleep(this.#chance.one([90_000, 20 * minute, 3 * 60 * minute]));
      // What goes on although it was told to stop writes into a tree that is nobody else's.
      tree?.files.set('late.txt', `${post.task} ${post.leg.generation}`);
      if (working.isStopped) {
        await post.leg.note('too late').catch(() => {});
        tree?.files.delete('late.txt');
        return { how: 'stopped', said: '' };
      }
      tree?.files.delete('late.txt');
    }
    if (this.#fault(0.03)) for (let n = 0; n < 200; n += 1) order.seen({ kind: 'noise', why: 'garbage' });
    if (this.#fault(0.05))
      return {
        how: 'over',
        said: '',
        limit: { kind: 'usage', until: this.#chance.is(0.5) ? clock.now() + 20 * minute : null },
      };
    if (this.#fault(0.05)) return { how: 'over', said: '', limit: { kind: 'context', until: null } };
    if (this.#fault(0.03)) await order.ask({ permission: 'network', what: 'fetch something' });
    if (tree !== null) this.#edit(post, tree);
    if (this.#chance.is(0.3)) await this.#handIn(post, tree);
    return { how: 'over', said: 'done' };
  }

  #edit({ task, leg }: WorkPost, tree: SimTree): void {
    // Told of a conflict, it takes in what is there.
    if (leg.received !== null && !this.#ground.contains(tree.head, this.#ground.head('wood')))
      this.#ground.mergeIn(tree, this.#ground.head('wood'));
    const isRed = this.#fault(0.06);
    tree.files.set(`${task}.txt`, isRed ? 'red' : `planted in leg ${leg.generation}`);
    if (leg.contract.paths !== undefined || this.#fault(0.1))
      tree.files.set('hedge.txt', `${tree.files.get('hedge.txt') ?? ''}${task};`);
  }

  /** An agent that speaks to the store itself. */
  async #handIn({ leg }: WorkPost, tree: SimTree | null): Promise<void> {
    try {
      await leg.acknowledge();
      if (tree !== null && this.#chance.is(0.8)) this.#ground.commitTree(tree);
      await leg.validate();
      if (this.#chance.is(0.2))
        await leg.handoff({ to: 'lane:execute', claims: { next: 'Go on planting.' } });
      else if (leg.contract.review === undefined) await leg.complete();
      else await leg.submit();
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
    }
  }

  async #judge(post: ReviewPost): Promise<TurnEnd> {
    await this.#at.clock.sleep(this.#chance.one([10, 20_000, minute]));
    if (this.#fault(0.08)) return { how: 'over', said: 'looks fine to me' };
    if (this.#fault(0.04)) return { how: 'ended', exit: 7, signal: null, said: '' };
    const packet = post.state.submission?.packet ?? null;
    const by: Actor = { name: post.agent.name, kind: 'agent', lane: 'audit' };
    const findings = [{ text: 'It is crooked.' }];
    const verdict = this.#fault(0.2)
      ? { approve: false as const, packet, findings }
      : { approve: true as const, packet };
    await review(post.context, post.state.task, verdict, { by }).catch(() => {});
    return { how: 'over', said: '' };
  }

  /** Looks after what waits for one, and now and then steers. */
  async #person(): Promise<void> {
    const { context } = this.#at;
    try {
      for (const name of Object.keys(this.#document.plan.tasks)) {
        const task = plannedId('wood', name);
        const state = await findState(context, task);
        if (state?.status === 'escalated' || state?.status === 'declined')
          await redrive(context, task, { to: 'lane:execute', why: 'Try again.' }, { by: eve });
        if (state?.status === 'submitted' && (state.terms.review?.human === true || this.#chance.is(0.1)))
          await review(
            context,
            task,
            { approve: true, packet: state.submission?.packet ?? null },
            { by: eve },
          );
      }
      const run = await findState(context, runId('wood'));
      for (const { decision } of run?.raised ?? []) {
        if (this.#chance.is(0.3)) continue;
        this.#answers += 1;
        const words = this.#chance.one(['more', ' More', 'stop']);
        await answer(context, runId('wood'), { decision, answer: words }, { by: eve });
      }
      if (this.#chance.is(0.05))
        await steer(context, runId('wood'), { paused: true, why: 'Lunch.' }, { by: eve });
      else if (this.#chance.is(0.5))
        await steer(context, runId('wood'), { paused: false, why: 'On.' }, { by: eve });
      if (this.#chance.is(0.05))
        await steer(
          context,
          runId('wood'),
          { parallel: 1 + this.#chance.upTo(3), why: 'Weather.' },
          { by: eve },
        );
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
    }
  }

  /** Those that a living supervisor started and has not stopped. */
  #atWork(): Working[] {
    return [...this.#working].filter(
      ({ by, isStopped }) => !isStopped && this.#processes[by]?.isDead === false,
    );
  }

  #checkStart(post: Post): void {
    if (post.for !== 'work' || post.folder === null) return;
    const { needs = [] } = this.#document.plan.tasks[post.task] ?? {};
    const tree = this.#ground.treeAt(post.folder);
    for (const need of needs)
      if (!this.#ground.filesAt(tree.base).has(`${need}.txt`))
        this.#failures.push(new Error(`${post.task} began without the work of ${need}`));
    const others = [...this.#ground.treeAt(post.folder).users].filter((name) => name !== legName(post));
    if (others.length > 0)
      this.#failures.push(new Error(`${post.folder} is used by ${others.join(', ')} too`));
  }

  #check(): void {
    const atWork = this.#atWork();
    if (atWork.length > 4) this.#failures.push(new Error(`${atWork.length} are at work`));
    const twice = new Set(this.#ground.merged).size !== this.#ground.merged.length;
    if (twice) this.#failures.push(new Error('a commit was merged twice'));
    const sharing = atWork.filter(
      ({ post }) => post.for === 'work' && this.#document.plan.tasks[post.task]?.paths !== undefined,
    );
    if (sharing.length > 1)
      this.#failures.push(new Error(`the same files: ${sharing.map(({ post }) => post.task).join(', ')}`));
  }

  /** A supervisor that was killed while it took a task may have begun a leg that its successor had not seen. */
  async #checkCaps(): Promise<void> {
    const { context } = this.#at;
    const caps = (await findState(context, runId('wood')))?.steering?.caps;
    if (caps?.legs === undefined) return;
    let legs = 0;
    for (const name of Object.keys(this.#document.plan.tasks))
      legs += (await findState(context, plannedId('wood', name)))?.generation ?? 0;
    if (legs > caps.legs + this.#kills)
      this.#failures.push(new Error(`${legs} legs were begun, and ${caps.legs} are allowed`));
  }

  /** Every task that nobody works on says what it waits for. */
  #checkSight({ statuses, live, waits }: RunSight): void {
    const told = new Set(waits().map(({ task }) => task));
    const working = new Set(live.map(({ task }) => task));
    for (const [name, status] of statuses)
      if (!['done', 'failed', 'cancelled', 'held'].includes(status) && !told.has(name) && !working.has(name))
        this.#failures.push(new Error(`${name} is ${status} and says not what it waits for`));
  }
}

function legName(post: Post): string {
  return post.for === 'work' ? `${post.task}/${post.leg.generation}` : `review of ${post.task}`;
}
