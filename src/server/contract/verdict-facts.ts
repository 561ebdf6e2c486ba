/** What a reviewer has to know besides the work: what was agreed after it was submitted, and what it was sent back for. Part of the server's contract. */
import * as z from 'zod/mini';
import { contractParts } from '../../core/contract/contract-changes.ts';
import { Digest } from '../../core/journal/digest.ts';
import { findingShape } from '../../core/task/review-finding.ts';

const Amendment = z.object({ seq: z.int(), at: z.int(), by: z.string(), why: z.string() });

const Change = z.object({
  part: z.enum(contractParts),
  added: z.array(z.string()),
  removed: z.array(z.string()),
});

/** `from` is the contract under which it was submitted. */
export const AmendedContract = z.object({
  from: Digest,
  amendments: z.array(Amendment),
  changes: z.array(Change),
});

/** `unchanged`: the workspace is as it was when it was sent back; null where one of the packets has none. */
export const SentBack = z.object({ findings: z.array(findingShape()), unchanged: z.nullable(z.boolean()) });
