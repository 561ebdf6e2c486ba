/** What is said with each change, as schemas. */
import * as z from 'zod/mini';
import { limits } from '../../core/base/limits.ts';
import { Text } from '../../core/base/text.ts';
import { PlanBudget } from '../../core/plan/crew.ts';
import { findingShape } from '../../core/task/review-finding.ts';
import { Binding } from './contract.ts';

const Count = z.int().check(z.minimum(0));

/** An address, or a word that means one, as the command takes it: `core/address-words.ts` says which. */
const Whom = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax * 2));

export const VerdictBody = z.discriminatedUnion('approve', [
  z.strictObject({ approve: z.literal(true), binds: Binding, why: z.optional(Text) }),
  z.strictObject({
    approve: z.literal(false),
    binds: Binding,
    findings: z.array(findingShape()).check(z.minLength(1), z.maxLength(limits.listItemsMax)),
    to: z.optional(Whom),
  }),
]);
export type VerdictBody = z.infer<typeof VerdictBody>;

export const OpenBody = z.strictObject({
  goal: Text,
  acceptance: z.optional(z.array(Text).check(z.maxLength(limits.listItemsMax))),
  /** Absent: anyone. */
  to: z.optional(Whom),
  /** A person approves it. */
  human: z.optional(z.boolean()),
});
export const AgainBody = z.strictObject({ to: z.optional(Whom) });
/** What tells that it is done, where the contract does not say. */
export const CompleteBody = z.strictObject({ accept: z.optional(Text) });
export const PauseBody = z.strictObject({
  why: z.optional(Text),
  /** Absent: until somebody continues it. */
  forMs: z.optional(z.int().check(z.minimum(1000), z.maximum(limits.leaseMsMax * 400))),
});
export const PhaseBody = z.strictObject({ phase: z.string().check(z.minLength(1)), why: z.optional(Text) });
export const SettleBody = z.strictObject({
  effect: z.string().check(z.minLength(1)),
  outcome: z.enum(['done', 'failed']),
  receipt: z.optional(Text),
});
export const TellBody = z.strictObject({ text: Text });
export const AnswerBody = z.strictObject({ decision: Count, answer: Text });
export const ContinueBody = z.strictObject({ why: z.optional(Text) });
export const WhyBody = z.strictObject({ why: Text });
export const RedriveBody = z.strictObject({ why: Text, to: z.optional(Whom) });
export const ReassignBody = z.strictObject({ why: Text, to: Whom });
export const ExtendBody = z.strictObject({
  why: Text,
  leaseMs: z.int().check(z.minimum(limits.leaseMsMin), z.maximum(limits.leaseMsMax)),
});

export const SteerBody = z
  .strictObject({
    paused: z.optional(z.boolean()),
    parallel: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
    /** What is not named stays as it was. */
    caps: z.optional(PlanBudget),
    why: Text,
  })
  .check(
    z.refine(
      ({ paused, parallel, caps }) => (paused ?? parallel ?? caps) !== undefined,
      'expected paused, parallel or caps',
    ),
  );
