import * as z from 'zod/mini';
import { Address } from './address.ts';
import { TaskId } from './id.ts';
import { Title } from './text.ts';

export const Cap = z.int().check(z.minimum(1), z.maximum(1_000_000));

export const Review = z.strictObject({
  /** Who approves; absent means that completing needs no approval. */
  owner: z.optional(Address),
  /** Only a person may approve. */
  human: z.optional(z.boolean()),
  /** Where the work should stop: a patch, a reviewable artefact, or a verified result. */
  stop: z.optional(z.enum(['patch', 'artefact', 'verified'])),
});
export type Review = z.infer<typeof Review>;

/** The part of a contract that decides who may do what. */
export const Terms = z.strictObject({
  title: Title,
  needs: z.array(TaskId),
  review: z.nullable(Review),
  hopsMax: z.nullable(Cap),
  reworkMax: Cap,
  attemptsMax: Cap,
});
export type Terms = z.infer<typeof Terms>;
