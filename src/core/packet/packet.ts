/**
 * A packet is what one agent leaves for the next: immutable, named by the digest of its canonical JSON, with a parent.
 * The chain of parents is a Merkle list: a reader that has a packet's digest can check everything before it.
 * A packet carries only what is new. Its transcript lists the chunks added since the parent; the contract is named by
 * digest; reading the chain from its root gives the whole history.
 */
import * as z from 'zod/mini';
import { Actor, Lane } from '../task/actor.ts';
import { Address, Owner } from '../task/address.ts';
import { canonical } from '../journal/canonical.ts';
import { utf8 } from '../base/utf8.ts';
import { Digest, digestOf } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import { Trigger, CommandWords } from '../journal/event.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { tryParseOwn } from '../base/parse.ts';
import { SealedSkills, skillBlobs } from '../skill/skill.ts';
import { phaseStatuses } from '../task/state.ts';
import { Text, Title } from '../base/text.ts';
import { WorkspaceFacts } from '../tree/workspace.ts';

const Texts = z.array(Text).check(z.maxLength(limits.listItemsMax));
const Path = z.string().check(z.minLength(1), z.maxLength(4096));

/** Inside the workspace, seen from its root. */
const Folder = Path.check(
  z.refine(
    (path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'no folder of the workspace',
  ),
);

export const Artefact = z.strictObject({
  path: Path,
  role: z.optional(Title),
  why: z.optional(Text),
  digest: z.optional(Digest),
});

/**
 * What a claim rests on: a journal entry (j12), the run in an entry (r12), a step of the reasoning (s42, see `story.ts`), a
 * decision (d3), or file:PATH.
 */
export const Evidence = z
  .array(z.string().check(z.regex(/^(?:[jrsd]\d{1,9}|file:[^\p{C}]{1,1000})$/u)))
  .check(z.maxLength(limits.listItemsMax));

/** A plain text is a claim without evidence, and shown as unverified. */
export const Claim = z.union([Text, z.strictObject({ text: Text, evidence: Evidence })]);
export type Claim = z.infer<typeof Claim>;

export function claimText(claim: Claim): string {
  return typeof claim === 'string' ? claim : claim.text;
}

const ClaimList = z.array(Claim).check(z.maxLength(limits.listItemsMax));

/** Written by the agent. Nothing here is taken for a fact. */
export const Claims = z.strictObject({
  done: z.optional(ClaimList),
  doing: z.optional(ClaimList),
  remaining: z.optional(ClaimList),
  decisions: z.optional(
    z
      .array(
        z.strictObject({
          text: Text,
          why: z.optional(Text),
          rejected: z.optional(Texts),
          evidence: z.optional(Evidence),
        }),
      )
      .check(z.maxLength(limits.listItemsMax)),
  ),
  failed: z.optional(
    z
      .array(z.strictObject({ what: Text, why: Text, evidence: z.optional(Evidence) }))
      .check(z.maxLength(limits.listItemsMax)),
  ),
  blockers: z.optional(ClaimList),
  questions: z.optional(
    z
      .array(z.strictObject({ text: Text, owner: z.optional(Owner), evidence: z.optional(Evidence) }))
      .check(z.maxLength(limits.listItemsMax)),
  ),
  next: z.optional(Text),
  /** The exact command that was about to run. */
  command: z.optional(Text),
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

const Count = z.int().check(z.minimum(0));

/** How a command of the contract last ended, as the tool saw it. `entry` is its place in the journal. */
const RunOutcome = z.strictObject({
  entry: Count,
  at: Count,
  exit: z.nullable(z.int()),
  workspace: z.nullable(Digest),
});

/**
 * Whose records the packet's transcript holds: a session of a coding agent, as its program wrote it. Each record ends with a line end.
 */
export const SessionFact = z.strictObject({
  runtime: Title,
  id: Title,
  /** Where the program keeps it on the machine that captured it. */
  path: z.optional(Path),
  /** How far it was captured; opaque but to the runtime's adapter. */
  cursor: z.string().check(z.maxLength(16_384)),
  /** Records of the whole chain before these, and how many these are. */
  before: Count,
  records: Count,
  /** The session was not only appended to: this is all of it, in place of what earlier packets have. */
  fromStart: z.optional(z.literal(true)),
  /** What the capture left out by rule. */
  omissions: z.optional(
    z.array(z.strictObject({ kind: Title, count: Count, why: Text })).check(z.maxLength(limits.listItemsMax)),
  ),
});
export type SessionFact = z.infer<typeof SessionFact>;

/**
 * A session of an agent that the packet's session started. The last chunks of the transcript are those of these sessions, in their
 * order: so many of each. One that has nothing new is named for its cursor alone.
 */
export const SubagentFact = z.extend(SessionFact, { chunks: Count });
export type SubagentFact = z.infer<typeof SubagentFact>;

/**
 * What the packet's transcript is where no session was named: a conversation in messages of a known shape, all of it. Each message is a
 * record. A transcript of which the packet says neither this nor a session is one record.
 */
export const ConversationFact = z
  .strictObject({
    shape: Title,
    /** Records of the whole chain before this packet, and how many messages the transcript has. */
    before: Count,
    records: Count,
    /** The packet whose conversation this one goes on from. As many of its messages stand at the beginning here, and keep their names. */
    goesOn: z.optional(z.strictObject({ from: Digest, kept: Count })),
  })
  .check(
    z.refine(
      ({ records, goesOn }) => (goesOn?.kept ?? 0) <= records,
      'more messages are kept than there are',
    ),
  );
export type ConversationFact = z.infer<typeof ConversationFact>;

/** Records of the chain up to and with a packet, as far as the packet says it. */
export function recordsUpTo({ facts }: Pick<Packet, 'facts'>): number | undefined {
  const { session, subagents, conversation } = facts ?? {};
  const last = subagents?.at(-1) ?? session;
  if (last !== undefined) return last.before + last.records;
  if (conversation === undefined) return undefined;
  return conversation.before + conversation.records - (conversation.goesOn?.kept ?? 0);
}

/** Probed by the tool; no agent writes here. */
export const Facts = z.strictObject({
  session: z.optional(SessionFact),
  subagents: z.optional(z.array(SubagentFact).check(z.maxLength(limits.listItemsMax))),
  conversation: z.optional(ConversationFact),
  workspace: z.optional(WorkspaceFacts),
  /** Where in the workspace the work is done, if that is not its root; with slashes. */
  folder: z.optional(Folder),
  /** What restoring needs, path by path; see `Manifest`. */
  manifest: z.optional(Digest),
  diff: z.optional(
    z.strictObject({
      blob: Digest,
      bytes: Count,
      added: Count,
      removed: Count,
      /** It was longer than a diff may be, and ends early. */
      cut: z.optional(z.literal(true)),
      /** It shows what was committed since the work began, too: all that differs from `workspace.committed.since`. */
      committed: z.optional(z.literal(true)),
    }),
  ),
  /** The files of the skills that are named, as far as they could be carried. */
  skills: z.optional(SealedSkills),
  runs: z.optional(
    z.array(
      z.strictObject({
        run: CommandWords,
        name: z.optional(Title),
        passed: z.optional(RunOutcome),
        failed: z.optional(RunOutcome),
      }),
    ),
  ),
  progress: z.optional(
    z.strictObject({
      at: Count,
      of: z.optional(Count),
      unit: z.optional(Title),
      cursor: z.optional(Text),
    }),
  ),
  phases: z.optional(z.array(z.strictObject({ name: Title, status: z.enum(phaseStatuses) }))),
});
export type Facts = z.infer<typeof Facts>;

const Artefacts = z.array(Artefact).check(z.maxLength(limits.listItemsMax));
/** Instructions the receiver should load. */
const Skills = z.array(Title).check(z.maxLength(limits.listItemsMax));
/** What could not be carried over, besides what the workspace's facts list. */
const Losses = z.array(z.strictObject({ what: Title, why: Text })).check(z.maxLength(limits.listItemsMax));

/** The part of a packet that somebody says; the rest is probed or known. */
export const PacketWords = z.strictObject({
  claims: z.optional(Claims),
  artefacts: z.optional(Artefacts),
  skills: z.optional(Skills),
  losses: z.optional(Losses),
});
export type PacketWords = z.infer<typeof PacketWords>;

export const Packet = z.strictObject({
  v: z.literal(1),
  task: TaskId,
  parent: z.nullable(Digest),
  contract: Digest,
  generation: z.int().check(z.minimum(0)),
  /** The journal's head when this was sealed: the receiver witnesses the journal up to there. */
  head: z.strictObject({ seq: z.int().check(z.minimum(0)), digest: Digest }),
  at: z.int().check(z.minimum(0)),
  from: Actor,
  to: z.optional(Address),
  lane: Lane,
  trigger: Trigger,
  why: z.optional(Text),
  claims: Claims,
  artefacts: Artefacts,
  transcript: z.array(Chunk),
  facts: z.optional(Facts),
  skills: z.optional(Skills),
  losses: z.optional(Losses),
  /** The span of the leg or checkpoint, as a W3C traceparent: the next holder's spans are linked to it. */
  trace: z.optional(z.string().check(z.regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/))),
  /** Secrets taken out at capture, by rule. */
  redactions: z.optional(z.record(Title, Count)),
});
export type Packet = z.infer<typeof Packet>;

/** `name`: a store that takes the bytes afterwards need not hash them again. */
export function sealPacket(
  packet: Packet,
  name: (bytes: Uint8Array) => Digest = digestOf,
): { readonly bytes: Uint8Array; readonly digest: Digest } {
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
  return { bytes, digest: name(bytes) };
}

export function parsePacket(bytes: Uint8Array): Packet {
  let raw: unknown;
  try {
    raw = JSON.parse(utf8(bytes));
  } catch (cause) {
    throw new StaffettaError('corrupt', 'A stored packet is not JSON.', { cause });
  }
  const parsed = tryParseOwn(Packet, raw);
  if (parsed.success) return parsed.data;
  const version = (raw as { v?: unknown } | null)?.v;
  if (typeof version === 'number' && version > 1) {
    throw new StaffettaError('store-newer', `The store holds a packet of version ${version}.`, {
      hint: 'Update staffetta to the version that wrote it.',
    });
  }
  throw new StaffettaError('corrupt', 'A stored packet does not have the shape of a packet.', {
    details: {
      issues: parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    },
  });
}

/** Every blob a packet needs to be read. */
export function packetBlobs(packet: Packet): Digest[] {
  const { manifest, diff, skills } = packet.facts ?? {};
  return [
    packet.contract,
    ...packet.transcript.map((chunk) => chunk.blob),
    ...(manifest === undefined ? [] : [manifest]),
    ...(diff === undefined ? [] : [diff.blob]),
    ...skillBlobs(skills),
  ];
}
