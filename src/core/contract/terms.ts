import * as z from 'zod/mini';
import { Address } from '../task/address.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { Name, Text, Title } from '../base/text.ts';
import { policyKinds } from './policy-kinds.ts';

export const Cap = z.int().check(z.minimum(1), z.maximum(1_000_000));

/** Shapes that few commands need are made where they are needed: each takes as long as a small file takes to load. */
export const reviewShape = () =>
  z.strictObject({
    /** Who approves; absent means that completing needs no approval. */
    owner: z.optional(Address),
    /** Only a person may approve. */
    human: z.optional(z.boolean()),
    /** Where the work should stop: a patch, a reviewable artefact, or a verified result. */
    stop: z.optional(z.enum(['patch', 'artefact', 'verified'])),
    /** Changes that only a person may approve, besides those of protected paths. */
    policy: z.optional(
      z.strictObject({
        /** Globs, as in protected paths. */
        paths: z.optional(z.array(Text).check(z.maxLength(limits.listItemsMax))),
        /** More lines than this, added and removed. */
        diffLinesMax: z.optional(z.int().check(z.minimum(0))),
        kinds: z.optional(z.array(z.enum(policyKinds))),
      }),
    ),
  });

/** A branch that git takes by this name, and for no option. */
const BranchName = z.string().check(
  z.maxLength(200),
  z.regex(
    // eslint-disable-next-line no-control-regex
    /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\u0000-\u0020\u007f~^:?*[\\]+(?<![/.])$/,
    'expected the name of a branch',
  ),
);

/** Where approved work goes. A task that says so is done when it is there. */
export const integrateShape = () =>
  z.strictObject({
    onto: BranchName,
    /** Merged unless told: what a rebase makes, nobody has approved. */
    how: z.optional(z.enum(['merge', 'rebase'])),
  });

export const moneyShape = () =>
  z.strictObject({
    amount: z.number().check(z.minimum(0), z.maximum(1_000_000_000)),
    unit: z.string().check(z.regex(/^[A-Z]{3,8}$/, 'expected a unit such as USD')),
  });
export type Money = z.infer<ReturnType<typeof moneyShape>>;

/** What may be spent on a task over its whole life, before a person is asked. */
export const budgetShape = () =>
  z.strictObject({
    tokens: z.optional(z.int().check(z.minimum(1))),
    legs: z.optional(Cap),
    /** Time in which somebody held it. */
    ms: z.optional(z.int().check(z.minimum(1))),
    cost: z.optional(moneyShape()),
  });
export type TaskBudget = z.infer<ReturnType<typeof budgetShape>>;

/** Who may hand the task to whom, by name; `code` stands for `code/2` too. */
export const edgesShape = () =>
  z.union([
    z.literal('any'),
    z.array(z.strictObject({ from: Name, to: Name })).check(z.maxLength(limits.listItemsMax)),
  ]);
export type Edges = z.infer<ReturnType<typeof edgesShape>>;

/** The part of a contract that decides who may do what. */
export const termsShape = () =>
  z.strictObject({
    title: Title,
    needs: z.array(TaskId),
    review: z.nullable(reviewShape()),
    hopsMax: z.nullable(Cap),
    reworkMax: Cap,
    attemptsMax: Cap,
    /** Names, in order; absent where the contract has none. */
    phases: z.optional(z.array(Title).check(z.maxLength(limits.phasesMax))),
    /** Those of them that a person approves before the next one starts. */
    phasesForPeople: z.optional(z.array(Title).check(z.maxLength(limits.phasesMax))),
    integrate: z.optional(integrateShape()),
    budget: z.optional(budgetShape()),
    edges: z.optional(edgesShape()),
  });
export type Terms = z.infer<ReturnType<typeof termsShape>>;

const since2 = [
  'phasesForPeople',
  'integrate',
  'budget',
  'edges',
] as const satisfies readonly (keyof Terms)[];

/** The version of an event that carries these terms: one that says nothing new is written as it always was. */
export function termsVersion(terms: Terms): 1 | 2 {
  return since2.some((field) => terms[field] !== undefined) ? 2 : 1;
}
