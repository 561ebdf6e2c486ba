/**
 * Heads that somebody kept: in a packet, an answer, an export, a signed envelope, or from an earlier look. The entry with that number
 * must still be the one they saw: its digest binds everything before it, so a journal that was rewritten, or cut off, is found out by
 * anyone who holds one of them.
 */
import * as z from 'zod/mini';
import { payloadType } from './attestation.ts';
import { Digest } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import { TaskId } from '../journal/id.ts';

export interface Witness {
  readonly task: TaskId;
  readonly seq: number;
  readonly digest: Digest;
}

const Count = z.int().check(z.minimum(0));
const place = z.object({ seq: Count, digest: Digest });
/** Packets, and the headers of exports. */
const WithHead = z.object({ task: TaskId, head: place });
/** What a change answers with, and what `show` prints. */
const Answered = z.object({ task: TaskId, seq: Count, head: Digest });
const Signed = z.object({ payloadType: z.literal(payloadType), payload: z.string() });
const Statement = z.object({
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
  predicate: z.object({ task: TaskId, seq: Count.check(z.minimum(1)) }),
});

/** What a file witnesses. An export is more than its first line, which is all that is looked at. */
export function witnessFrom(text: string): Witness {
  const witness = witnessIn(jsonIn(text) ?? jsonIn(text.split('\n', 1)[0] ?? ''));
  if (witness !== undefined) return witness;
  throw new StaffettaError('invalid-input', 'There is no head of a journal in that file.', {
    hint: 'Give a packet, the JSON answer of a change, an export, or a signed envelope.',
  });
}

function witnessIn(value: unknown): Witness | undefined {
  const head = WithHead.safeParse(value);
  if (head.success) return { task: head.data.task, ...head.data.head };
  const answered = Answered.safeParse(value);
  if (answered.success) {
    const { task, seq, head: digest } = answered.data;
    return { task, seq, digest };
  }
  const packet = (value as { readonly packet?: unknown } | null | undefined)?.packet;
  if (typeof packet === 'object' && packet !== null) return witnessIn(packet);
  const envelope = Signed.safeParse(value);
  if (!envelope.success) return undefined;
  const statement = Statement.safeParse(
    jsonIn(Buffer.from(envelope.data.payload, 'base64').toString('utf8')),
  );
  const journal = statement.data?.subject.find(({ name }) => name === 'journal');
  if (!statement.success || journal === undefined) return undefined;
  const { task, seq } = statement.data.predicate;
  return { task, seq: seq - 1, digest: `sha256:${journal.digest.sha256}` };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What `verify` saw, and when. */
export const SeenHead = z.strictObject({ task: TaskId, seq: Count, digest: Digest, at: Count });
export type SeenHead = z.infer<typeof SeenHead>;

const SeenFile = z.strictObject({ v: z.literal(1), tasks: z.array(SeenHead) });

export function writeSeen(seen: Iterable<SeenHead>): string {
  return JSON.stringify({ v: 1, tasks: [...seen] });
}

/** Nothing, where it is not understood. */
export function readSeen(text: string): readonly SeenHead[] {
  return SeenFile.safeParse(jsonIn(text)).data?.tasks ?? [];
}
