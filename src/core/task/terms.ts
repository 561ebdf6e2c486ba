import * as z from 'zod/mini';
import { Address } from './address.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { Text, Title } from '../base/text.ts';

export const Cap = z.int().check(z.minimum(1), z.maximum(1_000_000));

export const policyKinds = [
  'added',
  'deleted',
  'renamed',
  'binary',
  'executable',
  'link',
  'submodule',
] as const;
export type PolicyKind = (typeof policyKinds)[number];

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
export type Review = z.infer<ReturnType<typeof reviewShape>>;

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
  });
export type Terms = z.infer<ReturnType<typeof termsShape>>;
