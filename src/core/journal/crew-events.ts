/** Events of work that several agents do for one goal: what it used, how it is steered, where it goes. See `event.ts`. */
import * as z from 'zod/mini';
import { Digest } from './digest.ts';
import { TaskId } from './id.ts';
import { Name, Text, Title } from '../base/text.ts';
import { budgetShape, moneyShape } from '../contract/terms.ts';
import { ObjectId, RefName } from '../task/start.ts';

const v = z.literal(1);

const runSteps = ['routed', 'advised', 'exhausted', 'stalled', 'kept', 'capped'] as const;

export const crewShapes = {
  /** What was used since the last count, for whichever leg: limits hold over the whole life of a task. */
  'usage-counted': () =>
    z.strictObject({
      type: z.literal('usage-counted'),
      v,
      /** The generation that used it. */
      leg: z.int().check(z.minimum(1)),
      /** Whose figure it is: a program, a provider. */
      source: Name,
      tokens: z.int().check(z.minimum(0)),
      cost: z.optional(moneyShape()),
    }),

  /** By a person, where the contract asks for one. */
  'phase-approved': () =>
    z.strictObject({ type: z.literal('phase-approved'), v, phase: Title, why: z.optional(Text) }),

  /** Somebody outside tells the supervisor how to go on; what is left out stays as it was. */
  'run-steered': () =>
    z.strictObject({
      type: z.literal('run-steered'),
      v,
      paused: z.optional(z.boolean()),
      /** How many may work at once. */
      parallel: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
      caps: z.optional(budgetShape()),
      /** What is to run from now on: the plan, with its crew. */
      plan: z.optional(Digest),
      why: Text,
    }),

  /** What the supervisor of a run did, or found, besides what the tasks of the run say themselves. */
  'run-step': () =>
    z.strictObject({
      type: z.literal('run-step'),
      v,
      /**
       * `routed`: the front door gave a task to an agent. `advised`: how a leg goes on, and why so. `exhausted`: an account, until when.
       * `stalled`: nothing was seen of a leg. `kept`: a tree that was not removed. `capped`: the run
       * has used what it may.
       */
      what: z.enum(runSteps),
      task: z.optional(TaskId),
      agent: z.optional(Name),
      runtime: z.optional(Name),
      until: z.optional(z.int().check(z.minimum(0))),
      why: Text,
    }),

  /** In place of `task-done`, where the contract says where approved work goes. */
  'integration-due': () => z.strictObject({ type: z.literal('integration-due'), v }),
  integrated: () =>
    z.strictObject({
      type: z.literal('integrated'),
      v,
      packet: z.nullable(Digest),
      onto: RefName,
      commit: ObjectId,
      tree: ObjectId,
    }),
};
