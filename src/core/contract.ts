import * as z from 'zod/mini';
import { Address } from './address.ts';
import { canonical } from './canonical.ts';
import { digestOf, type Digest } from './digest.ts';
import { TaskId } from './id.ts';
import { limits } from './limits.ts';
import { Text, Title } from './text.ts';

/**
 * What was agreed: the goal, how it will be judged, and where it ends. Stored as a blob of canonical JSON and named by
 * its digest; each amendment is a new version. The journal carries `Terms`, the part that decides who may do what,
 * so that a journal folds without reading a blob.
 */
const Lines = z.array(Text).check(z.maxLength(limits.listItemsMax));
const Cap = z.int().check(z.minimum(1), z.maximum(1_000_000));

export const Review = z.strictObject({
  /** Who approves; absent means that completing needs no approval. */
  owner: z.optional(Address),
  /** Only a person may approve. */
  human: z.optional(z.boolean()),
  /** Where the work should stop: a patch, a reviewable artefact, or a verified result. */
  stop: z.optional(z.enum(['patch', 'artefact', 'verified'])),
});
export type Review = z.infer<typeof Review>;

export const Validation = z.strictObject({
  /** Program and arguments; no shell is involved. */
  run: z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(100)),
  name: z.optional(Title),
  timeoutMs: z.optional(z.int().check(z.minimum(1))),
});

export const Contract = z.strictObject({
  v: z.literal(1),
  title: Title,
  goal: Text,
  kind: z.optional(Title),
  acceptance: z.optional(Lines),
  constraints: z.optional(Lines),
  nonGoals: z.optional(Lines),
  protectedPaths: z.optional(Lines),
  validation: z.optional(z.array(Validation).check(z.maxLength(limits.listItemsMax))),
  review: z.optional(Review),
  needs: z.optional(z.array(TaskId).check(z.maxLength(limits.needsMax))),
  caps: z.optional(
    z.strictObject({
      hops: z.optional(Cap),
      rework: z.optional(Cap),
      attempts: z.optional(Cap),
    }),
  ),
});
export type Contract = z.infer<typeof Contract>;

export const Terms = z.strictObject({
  title: Title,
  needs: z.array(TaskId),
  review: z.nullable(Review),
  hopsMax: z.nullable(Cap),
  reworkMax: Cap,
  attemptsMax: Cap,
});
export type Terms = z.infer<typeof Terms>;

export function termsOf(contract: Contract): Terms {
  return {
    title: contract.title,
    needs: [...new Set(contract.needs ?? [])],
    review: contract.review ?? null,
    hopsMax: contract.caps?.hops ?? null,
    reworkMax: contract.caps?.rework ?? limits.reworkMaxDefault,
    attemptsMax: contract.caps?.attempts ?? limits.attemptsMaxDefault,
  };
}

/** The bytes that are stored, and their address. */
export function sealContract(contract: Contract): { readonly bytes: Uint8Array; readonly digest: Digest } {
  const bytes = Buffer.from(canonical(contract));
  return { bytes, digest: digestOf(bytes) };
}
