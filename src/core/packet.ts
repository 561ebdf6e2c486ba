/**
 * A packet is what one agent leaves for the next: immutable, named by the digest of its canonical JSON, with a parent.
 * The chain of parents is a Merkle list: whoever holds a packet's digest can check everything before it.
 * A packet carries only what is new. Its transcript lists the chunks added since the parent; the contract is named by
 * digest; reading the chain from its root gives the whole history.
 */
import * as z from 'zod/mini';
import { Actor, Lane } from './actor.ts';
import { Address } from './address.ts';
import { canonical } from './canonical.ts';
import { Digest, digestOf } from './digest.ts';
import { StaffettaError } from './error.ts';
import { Trigger } from './event.ts';
import { TaskId } from './id.ts';
import { limits } from './limits.ts';
import { Text, Title } from './text.ts';

const Texts = z.array(Text).check(z.maxLength(limits.listItemsMax));
const Path = z.string().check(z.minLength(1), z.maxLength(4096));

export const Artefact = z.strictObject({
  path: Path,
  role: z.optional(Title),
  why: z.optional(Text),
  digest: z.optional(Digest),
});

/** Written by the agent. Nothing here is taken for a fact. */
export const Claims = z.strictObject({
  done: z.optional(Texts),
  doing: z.optional(Texts),
  remaining: z.optional(Texts),
  decisions: z.optional(
    z
      .array(z.strictObject({ text: Text, why: z.optional(Text), rejected: z.optional(Texts) }))
      .check(z.maxLength(limits.listItemsMax)),
  ),
  failed: z.optional(
    z.array(z.strictObject({ what: Text, why: Text })).check(z.maxLength(limits.listItemsMax)),
  ),
  blockers: z.optional(Texts),
  questions: z.optional(
    z
      .array(z.strictObject({ text: Text, owner: z.optional(Address) }))
      .check(z.maxLength(limits.listItemsMax)),
  ),
  next: z.optional(Text),
  summary: z.optional(Text),
});
export type Claims = z.infer<typeof Claims>;

/** A piece of the native transcript, stored as a blob. */
export const Chunk = z.strictObject({
  blob: Digest,
  bytes: z.int().check(z.minimum(0)),
  media: z.optional(Title),
});
export type Chunk = z.infer<typeof Chunk>;

export const Packet = z.strictObject({
  v: z.literal(1),
  task: TaskId,
  parent: z.nullable(Digest),
  contract: Digest,
  generation: z.int().check(z.minimum(0)),
  /** The journal's head when this was sealed: whoever receives the packet witnesses the journal up to there. */
  head: z.strictObject({ seq: z.int().check(z.minimum(0)), digest: Digest }),
  at: z.int().check(z.minimum(0)),
  from: Actor,
  to: z.optional(Address),
  lane: Lane,
  trigger: Trigger,
  claims: Claims,
  artefacts: z.array(Artefact).check(z.maxLength(limits.listItemsMax)),
  transcript: z.array(Chunk),
});
export type Packet = z.infer<typeof Packet>;

export function sealPacket(packet: Packet): { readonly bytes: Uint8Array; readonly digest: Digest } {
  const bytes = Buffer.from(canonical(packet));
  if (bytes.length > limits.packetBytesMax) {
    throw new StaffettaError(
      'too-large',
      `The packet takes ${bytes.length} bytes; the limit is ${limits.packetBytesMax}.`,
      {
        hint: 'Send long content as transcript or artefacts: they are stored beside the packet.',
      },
    );
  }
  return { bytes, digest: digestOf(bytes) };
}

export function parsePacket(bytes: Uint8Array): Packet {
  const parsed = Packet.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new StaffettaError('corrupt', 'A stored packet does not have the shape of a packet.', {
    details: {
      issues: parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    },
  });
}

/** Every blob a packet needs to be read. */
export function packetBlobs(packet: Packet): Digest[] {
  return [packet.contract, ...packet.transcript.map((chunk) => chunk.blob)];
}
