/** What a command of the user's own and we say to each other, a line of JSON each: docs/crew-lines.md. */
import * as z from 'zod/mini';
import { permissionNames } from '../core/plan/crew.ts';
import { runtimeNames } from '../core/resume/runtime-names.ts';
import type { LegOrder, SessionPlace } from '../ports/runner.ts';

const Count = z.number().check(z.nonnegative());

/** Fields that are not known are left out: a later version may say more. */
export const FromCommand = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('said'),
    text: z.string(),
    as: z.optional(z.enum(['said', 'thought', 'tool'])),
  }),
  z.object({
    type: z.literal('usage'),
    tokens: z.optional(Count),
    context: z.optional(Count.check(z.maximum(1))),
    cost: z.optional(z.object({ amount: Count, unit: z.string() })),
  }),
  z.object({
    type: z.literal('ask'),
    id: z.string(),
    what: z.string(),
    permission: z.optional(z.enum(permissionNames)),
  }),
  z.object({
    type: z.literal('limit'),
    kind: z.enum(['usage', 'context']),
    /** Milliseconds since 1970. */
    until: z.optional(Count),
  }),
  z.object({
    type: z.literal('session'),
    runtime: z.enum(runtimeNames),
    id: z.string().check(z.minLength(1)),
    path: z.string().check(z.minLength(1)),
  }),
  /** `refused`: why it did not begin, or could not go on. */
  z.object({ type: z.literal('over'), refused: z.optional(z.string()) }),
]);
export type FromCommand = z.infer<typeof FromCommand>;

export type ToCommand =
  /** Once, before anything else. */
  | {
      readonly type: 'open';
      readonly v: 1;
      readonly folder: string;
      readonly access: LegOrder['access'];
      readonly mode: string | null;
      readonly model: string | null;
      readonly permissions: LegOrder['permissions'];
      readonly session: SessionPlace | null;
    }
  | { readonly type: 'turn'; readonly prompt: string }
  | { readonly type: 'answer'; readonly id: string; readonly allow: boolean }
  | { readonly type: 'cancel' };
