import * as z from 'zod/mini';
import { defined, filled } from '../base/defined.ts';
import { canonical } from '../journal/canonical.ts';
import { digestOf, type Digest } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { tryParseOwn } from '../base/parse.ts';
import {
  budgetShape,
  Cap,
  edgesShape,
  integrateShape,
  reviewShape,
  termsVersion,
  type Terms,
} from './terms.ts';
import { Text, Title } from '../base/text.ts';
import { utf8 } from '../base/utf8.ts';

/**
 * What was agreed: the goal, how it will be judged, and where it ends. Stored as a blob of canonical JSON and named by
 * its digest; each amendment is a new version. The journal carries `Terms`, the part that decides who may do what,
 * so that a journal folds without reading a blob.
 */
const Lines = z.array(Text).check(z.maxLength(limits.listItemsMax));

export const Validation = z
  .strictObject({
    /** Program and arguments; no shell is involved. */
    run: z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(100)),
    /** The one element of `run` is a line for the system's shell. Only a contract can say so. */
    shell: z.optional(z.literal(true)),
    name: z.optional(Title),
    timeoutMs: z.optional(z.int().check(z.minimum(1))),
  })
  .check(z.refine(({ run, shell }) => shell !== true || run.length === 1, 'a shell takes one line'));
export type Validation = z.infer<typeof Validation>;

const Validations = z.array(Validation).check(z.maxLength(limits.listItemsMax));

/** A stretch of long work that ends when its commands pass, and can be undone by others. */
export const Phase = z.strictObject({
  name: Title,
  goal: z.optional(Text),
  criteria: z.optional(Lines),
  verify: z.optional(Validations),
  rollback: z.optional(Validations),
  /** A person approves it before the next one starts. */
  human: z.optional(z.literal(true)),
});
export type Phase = z.infer<typeof Phase>;

const Phases = z.array(Phase).check(
  z.maxLength(limits.phasesMax),
  z.refine(
    (phases) => new Set(phases.map(({ name }) => name)).size === phases.length,
    'two phases have one name',
  ),
);

export const Contract = z.strictObject({
  v: z.literal(1),
  title: Title,
  goal: Text,
  kind: z.optional(Title),
  /** The gate asks for all that a contract can say. */
  strict: z.optional(z.literal(true)),
  acceptance: z.optional(Lines),
  constraints: z.optional(Lines),
  nonGoals: z.optional(Lines),
  protectedPaths: z.optional(Lines),
  validation: z.optional(Validations),
  phases: z.optional(Phases),
  /** Instructions the holder loads before it works: a name, or a path in the workspace. */
  skills: z.optional(z.array(Title).check(z.maxLength(limits.listItemsMax))),
  review: z.optional(reviewShape()),
  needs: z.optional(z.array(TaskId).check(z.maxLength(limits.needsMax))),
  caps: z.optional(
    z.strictObject({
      hops: z.optional(Cap),
      rework: z.optional(Cap),
      attempts: z.optional(Cap),
    }),
  ),
  /** Globs: all that may be changed. An empty list says that nothing may. */
  paths: z.optional(Lines),
  integrate: z.optional(integrateShape()),
  budget: z.optional(budgetShape()),
  edges: z.optional(edgesShape()),
});
export type Contract = z.infer<typeof Contract>;

export function termsOf(contract: Contract): Terms {
  const { phases, integrate, budget, edges } = contract;
  const forPeople = phases?.filter(({ human }) => human === true).map(({ name }) => name) ?? [];
  return {
    title: contract.title,
    needs: [...new Set(contract.needs ?? [])],
    review: contract.review ?? null,
    hopsMax: contract.caps?.hops ?? null,
    reworkMax: contract.caps?.rework ?? limits.reworkMaxDefault,
    attemptsMax: contract.caps?.attempts ?? limits.attemptsMaxDefault,
    ...(phases === undefined ? {} : { phases: phases.map(({ name }) => name) }),
    ...filled({ phasesForPeople: forPeople }),
    ...defined({ integrate, budget, edges }),
  };
}

/** As it is stored: what says more than version 1 could is of version 2, and an older program does not take it for damaged. */
function versionOf(contract: Contract): 1 | 2 {
  return contract.paths === undefined ? termsVersion(termsOf(contract)) : 2;
}

/** The bytes that are stored, and their address. */
export function sealContract(contract: Contract): { readonly bytes: Uint8Array; readonly digest: Digest } {
  const bytes = Buffer.from(canonical({ ...contract, v: versionOf(contract) }));
  return { bytes, digest: digestOf(bytes) };
}

/** Stored bytes to contract. What callers send is checked by `parse`. */
export function parseContract(bytes: Uint8Array): Contract {
  let raw: unknown;
  try {
    raw = JSON.parse(utf8(bytes));
  } catch (cause) {
    throw new StaffettaError('corrupt', 'A stored contract is not JSON.', { cause });
  }
  const version = (raw as { v?: unknown } | null)?.v;
  const parsed = tryParseOwn(Contract, version === 2 ? { ...(raw as object), v: 1 } : raw);
  if (parsed.success && versionOf(parsed.data) === version) return parsed.data;
  if (typeof version === 'number' && version > 1) {
    throw new StaffettaError('store-newer', `The store holds a contract of version ${version}.`, {
      hint: 'Update staffetta to the version that wrote it.',
    });
  }
  throw new StaffettaError('corrupt', 'A stored contract does not have the shape of a contract.', {
    details: {
      issues: (parsed.error?.issues ?? [])
        .slice(0, 3)
        .map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    },
  });
}
