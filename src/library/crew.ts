/** A crew in code: agents that are functions, whom they hand to, what they receive, and runs of plans. */
import { defined, filled } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { checkKind } from '../core/base/shape.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { CrewAgent, CrewEdge, CrewLimits, RoutingRule, Strategy } from '../core/plan/crew.ts';
import type { PlanTask, WorkPlan } from '../core/plan/work-plan.ts';
import type { Actor } from '../core/task/actor.ts';
import type { ReviewFinding } from '../core/task/review-finding.ts';
import type { Status, TaskState } from '../core/task/state.ts';
import type { TaskBudget } from '../core/contract/terms.ts';
import type { Story } from '../core/transcript/story.ts';
import type { RouteRequest } from '../crew/steering/front-door.ts';
import type { EndOfRun } from '../crew/take-run.ts';
import type { Post, ReviewPost } from '../crew/site.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Leg } from '../handoff/verbs/leg.ts';

export type CrewRouterFunction = (request: RouteRequest) => Promise<RouterAnswer> | RouterAnswer;
export type RouterAnswer = string | { readonly agent: string; readonly why?: string };

export interface CrewOptions extends CrewLimits {
  readonly strategy?: Strategy;
  /** With the strategy `router`: rules, and who is asked once where none holds. It answers with the name of an agent. */
  readonly routes?: readonly RoutingRule[];
  readonly router?: CrewRouterFunction;
  /** A repository: then each task has a tree of its own there, and approved work is merged onto a branch of the run. */
  readonly folder?: string;
}

/** What an agent is given of the work before it: all of the reasoning, what somebody made of it, or the briefing. */
export type Receives = 'full' | 'briefing' | ((story: Story) => Story | Promise<Story>);

export interface Received {
  /** What it is told: the briefing; or, after a refusal, what was found. */
  readonly prompt: string;
  /** Only where it receives more than a briefing. */
  readonly story: Story | null;
  /** Its tree; null where there are none. */
  readonly folder: string | null;
  /** It is to end. */
  readonly signal: AbortSignal;
}

export interface CrewAgentOptions extends Omit<CrewAgent, 'runtime' | 'command' | 'not'> {
  readonly receives?: Receives;
}

/** What an agent in the audit lane looks at. */
export interface CrewReview {
  readonly task: string;
  readonly state: TaskState;
  approve(why?: string): Promise<void>;
  sendBack(findings: readonly ReviewFinding[]): Promise<void>;
}

export type AgentWork = (leg: Leg, received: Received) => Promise<unknown>;
export type AgentReview = (review: CrewReview, received: Received) => Promise<unknown>;

export interface CrewMember {
  readonly name: string;
  /** It may hand on to these. Once one edge is said, only edges count. */
  to(...members: readonly CrewMember[]): CrewMember;
}

export type CrewPlan = Omit<WorkPlan, 'tasks' | 'crew' | 'goal'> & {
  readonly name: string;
  readonly goal?: string;
  readonly tasks: Readonly<
    Record<string, Omit<PlanTask, 'agent'> & { readonly agent?: CrewMember | string }>
  >;
};

export interface CrewChange {
  readonly task: string;
  readonly status: Status;
}

/** A run that goes on. What changes can be listened to; nothing waits for a listener. */
export interface CrewRun extends AsyncIterable<CrewChange> {
  readonly done: Promise<EndOfRun>;
  pause(why: string): Promise<void>;
  resume(why: string): Promise<void>;
  parallel(most: number, why: string): Promise<void>;
  /** What all of it may use, over its life; those that are left out stay as they were. Once it is reached a person is asked. */
  caps(caps: TaskBudget, why: string): Promise<void>;
  /** Takes a task out; with null it stops the run for good, with all that is left of it. */
  cancel(task: string | null, why: string): Promise<void>;
  /** Gives a task to another agent of the crew; without one it is started with whom the plan says. */
  give(task: string, agent: CrewMember | string | null, why: string): Promise<void>;
  /** Puts down what is worked on; the run can be gone on with under its name. */
  stop(): Promise<EndOfRun>;
}

interface Member {
  readonly agent: CrewAgent;
  readonly receives: Receives;
  readonly work: AgentWork | null;
  readonly review: AgentReview | null;
}

export class CrewOf {
  readonly #context: Context;
  readonly #by: Actor;
  readonly #options: CrewOptions;
  readonly #members = new Map<string, Member>();
  readonly #edges: CrewEdge[] = [];

  constructor(context: Context, by: Actor, options: CrewOptions) {
    this.#context = context;
    this.#by = by;
    this.#options = options;
  }

  agent(name: string, options: CrewAgentOptions, work: AgentWork): CrewMember {
    checkKind('agent: work', work, 'function');
    return this.#join(name, options, { work, review: null });
  }

  /** In the audit lane: it looks at what others submit, and says so with `approve` or `sendBack`. */
  reviewer(name: string, options: Omit<CrewAgentOptions, 'lane'>, review: AgentReview): CrewMember {
    checkKind('reviewer: review', review, 'function');
    return this.#join(name, { ...options, lane: 'audit' }, { work: null, review });
  }

  #join(name: string, options: CrewAgentOptions, acts: Pick<Member, 'work' | 'review'>): CrewMember {
    if (this.#members.has(name))
      throw new StaffettaError('invalid-input', `The crew has an agent ${name} already.`);
    const { receives = 'briefing', ...agent } = options;
    this.#members.set(name, { agent, receives, ...acts });
    const member: CrewMember = {
      name,
      to: (...others) => {
        this.#edges.push(...others.map((other) => ({ from: name, to: other.name })));
        return member;
      },
    };
    return member;
  }

  /** Begins a run, or goes on with the one of that name. */
  async run(given: CrewPlan): Promise<CrewRun> {
    const { beginRun } = await import('./crew-run.ts');
    return await beginRun(this.#document(given), {
      context: this.#context,
      by: this.#by,
      ...defined({ folder: this.#options.folder }),
      actOf: (post) => this.#actOf(post),
      ...defined({ router: this.#options.router }),
    });
  }

  #document(given: CrewPlan): RunDocument {
    const { name, goal, tasks, ...rest } = given;
    const { strategy, routes, router, folder: _folder, ...limits } = this.#options;
    const agents = Object.fromEntries([...this.#members].map(([member, { agent }]) => [member, agent]));
    return {
      v: 1,
      name,
      plan: {
        ...rest,
        goal: goal ?? `Every task of ${name} is done.`,
        tasks: Object.fromEntries(
          Object.entries(tasks).map(([task, { agent, ...planned }]) => [
            task,
            agent === undefined
              ? planned
              : { ...planned, agent: typeof agent === 'string' ? agent : agent.name },
          ]),
        ),
      },
      crew: {
        agents,
        ...filled({ edges: this.#edges }),
        ...defined({ strategy }),
        ...(routes === undefined ? {} : { routes: [...routes] }),
        ...(router === undefined ? {} : { router: {} }),
        limits,
      },
    };
  }

  #actOf(post: Post): CrewAct {
    const member = this.#members.get(post.agent.name);
    if (member === undefined)
      throw new StaffettaError('invalid-input', `The crew has no agent ${post.agent.name}.`);
    const { receives, work, review } = member;
    if (post.for === 'work') {
      if (work === null)
        throw new StaffettaError('lane-denied', `${post.agent.name} reviews, and works on nothing itself.`);
      return { receives, act: async (received) => await work(post.leg, received) };
    }
    if (review === null)
      throw new StaffettaError('lane-denied', `${post.agent.name} works, and reviews nothing.`, {
        hint: 'Make a reviewer: crew.reviewer(NAME, {}, async (review) => …)',
      });
    return { receives, act: async (received) => await review(reviewOf(post), received) };
  }
}

/** What one of the crew does for a post. */
export interface CrewAct {
  readonly receives: Receives;
  readonly act: (received: Received) => Promise<unknown>;
}

function reviewOf({ state, task, context, agent }: ReviewPost): CrewReview {
  const by: Actor = { name: agent.name, kind: 'agent', lane: 'audit' };
  const packet = state.submission?.packet ?? null;
  return {
    task,
    state,
    approve: async (why) => {
      const { review } = await import('../handoff/verbs/finish.ts');
      await review(context, state.task, { approve: true, packet, ...defined({ why }) }, { by });
    },
    sendBack: async (findings) => {
      const { review } = await import('../handoff/verbs/finish.ts');
      await review(context, state.task, { approve: false, packet, findings }, { by });
    },
  };
}
