/** What was agreed after the work was submitted; part of the server's contract. */
import * as z from 'zod/mini';
import { contractParts } from '../core/contract-changes.ts';
import { Digest } from '../core/digest.ts';

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
