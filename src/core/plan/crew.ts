/**
 * Who works on a plan: agents with their lanes and programs, along which edges work is handed on, what they may do, how much of
 * everything there may be, and which of them a request is meant for. What people write shorter (`a -> b`, `2h`, `25 USD`) is spelled
 * out at the edge.
 */
import * as z from 'zod/mini';
import { Lane } from '../task/actor.ts';
import { lanes } from '../task/lanes.ts';
import { limits } from '../base/limits.ts';
import { Text, Title } from '../base/text.ts';

/** Of tasks, agents and runs: a part of the name of a branch and of a folder. With a digit first, an object would not keep their order. */
export const PlanName = z
  .string()
  .check(
    z.regex(
      /^(?!.*\.lock$)[A-Za-z](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){0,63}$/,
      'expected 1–64 letters, digits or . _ -, starting with a letter',
    ),
  );

/** How one agent follows another. */
export const strategies = ['sequential', 'parallel', 'handoff', 'router', 'round-robin', 'manual'] as const;
export type Strategy = (typeof strategies)[number];

export const permissionNames = ['read', 'edit', 'execute', 'network', 'outside'] as const;
export type PermissionName = (typeof permissionNames)[number];

const Grant = z.enum(['allow', 'ask', 'deny']);
/** `outside`: what lies outside the workspace. */
export const Permissions = z.strictObject({
  read: z.optional(Grant),
  edit: z.optional(Grant),
  execute: z.optional(Grant),
  network: z.optional(Grant),
  outside: z.optional(Grant),
});
export type Permissions = z.infer<typeof Permissions>;

const Count = z.int().check(z.minimum(1), z.maximum(1_000_000));
/** None at all is a way to switch something off. */
const CountOrNone = z.int().check(z.minimum(0), z.maximum(1_000_000));
const Ms = z.int().check(z.minimum(1));

/** Over the life of a task, whatever number of legs and agents it takes. */
export const PlanBudget = z.strictObject({
  legs: z.optional(Count),
  tokens: z.optional(z.int().check(z.minimum(1))),
  cost: z.optional(
    z.strictObject({
      amount: z.number().check(z.positive(), z.maximum(1_000_000_000)),
      unit: z.string().check(z.regex(/^[A-Z]{3,8}$/, 'expected a unit such as USD')),
    }),
  ),
  /** Time in which somebody held it. */
  ms: z.optional(Ms),
});
export type PlanBudget = z.infer<typeof PlanBudget>;

const legLimits = {
  /** As long as one leg may take. */
  legMs: z.optional(Ms),
  /** As long as nothing may be seen of it. */
  stallMs: z.optional(Ms),
  legs: PlanBudget.shape.legs,
  tokens: PlanBudget.shape.tokens,
  cost: PlanBudget.shape.cost,
};

export const CrewLimits = z.strictObject({
  /** Legs at once. */
  parallel: z.optional(Count),
  perRuntime: z.optional(z.record(PlanName, CountOrNone)),
  perLane: z.optional(z.partialRecord(Lane, CountOrNone)),
  ...legLimits,
});
export type CrewLimits = z.infer<typeof CrewLimits>;

export const CrewAgent = z.strictObject({
  lane: Lane,
  /** Programs: the next one only while the account of the one before is exhausted. */
  runtime: z.optional(z.array(PlanName).check(z.minLength(1), z.maxLength(20))),
  /** A program of one's own that speaks JSON lines, with its arguments. */
  command: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(100))),
  /** Legs of it at once. */
  count: z.optional(CountOrNone),
  /** What the program calls its way of working, such as `plan`. */
  mode: z.optional(Title),
  permissions: z.optional(Permissions),
  limits: z.optional(z.strictObject(legLimits)),
  /** It works in another program than the author of what it looks at. */
  not: z.optional(z.literal('author-runtime')),
});
export type CrewAgent = z.infer<typeof CrewAgent>;

export const CrewEdge = z.strictObject({ from: PlanName, to: PlanName });
export type CrewEdge = z.infer<typeof CrewEdge>;

/** Which agent a request is for, if all that is said of it holds. The first rule that does decides. */
export const RoutingRule = z.strictObject({
  agent: PlanName,
  /** Globs: one of the request's paths matches one of them. */
  path: z.optional(z.array(Text).check(z.minLength(1), z.maxLength(limits.listItemsMax))),
  label: z.optional(z.array(Title).check(z.minLength(1), z.maxLength(limits.listItemsMax))),
  lane: z.optional(z.enum(lanes)),
  /** A program that is here. */
  installed: z.optional(PlanName),
});
export type RoutingRule = z.infer<typeof RoutingRule>;

/** Who is asked where no rule holds: one of the crew, a command that speaks JSON lines, or, with neither, a function of the program that runs it. */
const CrewRouter = z.strictObject({
  agent: z.optional(PlanName),
  command: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(100))),
});
export type CrewRouter = z.infer<typeof CrewRouter>;

export const Crew = z.strictObject({
  agents: z
    .record(PlanName, CrewAgent)
    .check(z.refine((agents) => Object.keys(agents).length > 0, 'expected at least one agent')),
  edges: z.optional(z.array(CrewEdge).check(z.maxLength(10_000))),
  /** Everybody hands on to everybody. */
  group: z.optional(z.literal('any')),
  strategy: z.optional(z.enum(strategies)),
  permissions: z.optional(Permissions),
  limits: z.optional(CrewLimits),
  routes: z.optional(z.array(RoutingRule).check(z.maxLength(1000))),
  router: z.optional(CrewRouter),
});
export type Crew = z.infer<typeof Crew>;

/** What an agent may do: its own word, or else the crew's; undefined where nobody has said. */
export function permissionsOf(crew: Crew, agent: CrewAgent): Permissions {
  return { ...crew.permissions, ...agent.permissions };
}

/** Those who plan and those who verify change nothing. */
export function accessOf({ lane }: Pick<CrewAgent, 'lane'>): 'look' | 'change' {
  return lane === 'plan' || lane === 'audit' ? 'look' : 'change';
}

/** Whether work may go from one agent to another. Without edges it may. */
export function mayHandOn({ edges, group }: Pick<Crew, 'edges' | 'group'>, edge: CrewEdge): boolean {
  if (edges === undefined || group === 'any') return true;
  return edges.some(({ from, to }) => from === edge.from && to === edge.to);
}
