/**
 * What is asked of the server and what it answers, as schemas: routes are checked by them, the OpenAPI document is made of them, the pages
 * import their types. What the core has only a type for is described by the fields that a reader relies on.
 */
import * as z from 'zod/mini';
import { Actor, Lane } from '../../core/task/actor.ts';
import { Contract } from '../../core/contract/contract.ts';
import { Digest } from '../../core/journal/digest.ts';
import { Certification } from '../../core/journal/event.ts';
import { findingShape } from '../../core/task/review-finding.ts';
import { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { severities } from '../../core/gate/finding.ts';
import { Packet } from '../../core/packet/packet.ts';
import { statuses, type TaskState } from '../../core/task/state.ts';
import type { Remarks } from '../../handoff/history/remarks.ts';
import { AmendedContract, SentBack } from './verdict-facts.ts';
import { ValidationResult } from './validation-result.ts';
import { verbs } from './verbs.ts';

const Count = z.int().check(z.minimum(0));
const Millis = z.nullable(z.int());
const Word = z.nullable(z.string());
const Status = z.enum(statuses);
const Limit = z.optional(z.int().check(z.minimum(1), z.maximum(limits.pageMax)));

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  hint: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
});

// ── Tasks ──
export const Card = z.object({
  task: TaskId,
  title: z.string(),
  status: Status,
  lane: z.nullable(Lane),
  holder: Word,
  generation: Count,
  to: Word,
  notBefore: Millis,
  expiresAt: Millis,
  openedAt: z.int(),
  updatedAt: z.int(),
  seq: Count,
  dead: z.boolean(),
  /** Questions and messages that nobody has answered or read. */
  waiting: Count,
  person: z.optional(z.literal(true)),
  paused: z.optional(z.literal(true)),
  leaseUntil: Millis,
});
export type Card = z.infer<typeof Card>;

export const TaskQuery = z.strictObject({
  status: z.optional(z.array(Status)),
  lane: z.optional(Lane),
  holder: z.optional(z.string()),
  dead: z.optional(z.boolean()),
  /** Only held tasks whose lease is over. */
  lapsed: z.optional(z.boolean()),
  oldestFirst: z.optional(z.boolean()),
  limit: Limit,
  cursor: z.optional(z.string()),
});

export const TaskList = z.object({
  tasks: z.array(Card),
  next: z.nullable(z.string()),
  damaged: z.array(z.object({ task: TaskId, why: z.string() })),
  /** The server's time, for leases that run down. */
  now: z.int(),
});
export type TaskList = z.infer<typeof TaskList>;

/** Of the gate, by severity. */
const Found = z.object({ error: Count, warning: Count, note: Count });

/** How far the work is, as far as it shows without reading it. */
const Shape = z.object({
  runtime: Word,
  progress: z.nullable(z.object({ at: z.number(), of: z.nullable(z.number()), unit: Word })),
  phases: z.array(z.object({ name: z.string(), status: Word })),
  /** Of the latest packet, with what was committed since the work began. */
  diff: z.nullable(z.object({ files: Count, added: Count, removed: Count })),
  /** `stale` was not seen on exactly this work. */
  checks: z.array(z.object({ name: z.string(), outcome: z.enum(['passed', 'failed', 'stale', 'not-run']) })),
  tokens: Count,
});
export type Shape = z.infer<typeof Shape>;

export const GlanceQuery = z.strictObject({
  task: z.array(TaskId).check(z.minLength(1), z.maxLength(limits.pageDefault * 2)),
});

/** What a board shows of tasks beside their cards, for those that somebody looks at. */
export const Glances = z.object({
  glances: z.array(
    z.object({
      card: Card,
      last: z.object({ seq: Count, at: z.int(), by: z.string(), types: z.array(z.string()) }),
      certification: z.nullable(Certification),
      found: Found,
      /** Why it stopped, where it did. */
      stopped: z.nullable(z.object({ reason: z.string(), text: z.string() })),
      shape: Shape,
    }),
  ),
  now: z.int(),
});
export type Glances = z.infer<typeof Glances>;

export const Finding = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  path: z.string(),
  text: z.string(),
  fix: z.string(),
});

export const Leg = z.object({
  generation: Count,
  agent: z.string(),
  lane: Lane,
  from: z.int(),
  until: Millis,
  ended: Word,
  why: Word,
  notes: Count,
  packets: Count,
});

const State = z.looseObject({
  task: TaskId,
  seq: Count,
  head: Digest,
  status: Status,
  openedAt: z.int(),
  openedBy: z.string(),
  updatedAt: z.int(),
  updatedBy: z.string(),
  contract: Digest,
  generation: Count,
  packet: z.nullable(Digest),
  demands: z.array(z.string()),
});

const Remark = z.looseObject({
  seq: Count,
  at: z.int(),
  by: z.string(),
  event: z.looseObject({ type: z.string() }),
});

export const Binding = z.strictObject({
  packet: z.nullable(Digest),
  contract: Digest,
  diff: z.nullable(Digest),
  findings: z.nullable(Digest),
});

export const TaskPage = z.object({
  state: State,
  leaseUntil: Millis,
  now: z.int(),
  contract: z.object({ digest: Digest, contract: Contract, added: z.array(z.string()) }),
  amended: z.nullable(AmendedContract),
  sentBack: z.nullable(SentBack),
  packet: z.nullable(
    z.object({
      digest: Digest,
      number: Count,
      certification: z.nullable(Certification),
      packet: Packet,
      findings: z.array(Finding),
    }),
  ),
  /** How the commands of the contract ended, as the packet has it; `bound` is fresh: seen on exactly the work that was sealed. */
  validation: z.array(ValidationResult),
  /** What a reviewer said that still has to be mended. */
  findings: z.array(findingShape()),
  declined: z.array(z.string()),
  demands: z.array(z.string()),
  questions: z.array(
    z.object({ decision: Count, question: z.string(), options: z.array(z.string()), owner: Word }),
  ),
  messages: z.array(
    z.object({
      seq: Count,
      from: z.string(),
      at: z.int(),
      text: z.string(),
      answers: z.optional(z.object({ decision: Count, question: z.string() })),
    }),
  ),
  remarks: z.object({ since: z.array(Remark), before: z.array(Remark), more: z.boolean() }),
  legs: z.array(Leg),
  /** What a verdict binds to; null where nothing waits for one. */
  binds: z.nullable(Binding),
  run: z.nullable(TaskId),
});
export type TaskPage = Omit<z.infer<typeof TaskPage>, 'state' | 'remarks'> & {
  readonly state: TaskState;
  readonly remarks: Remarks;
};

export const EventsQuery = z.strictObject({ from: z.optional(Count), limit: Limit });

export const TaskEvents = z.object({
  task: TaskId,
  head: z.object({ seq: Count, digest: Digest }),
  entries: z.array(
    z.object({
      seq: Count,
      digest: Digest,
      /** Exactly as stored: the digest is SHA-256 of `staffetta/entry/v1`, a line end and this text. */
      body: z.string(),
      entry: z.looseObject({ seq: Count, at: z.int(), events: z.array(z.looseObject({ type: z.string() })) }),
    }),
  ),
  /** Where the next page begins; null at the end. */
  next: z.nullable(Count),
});
export type TaskEvents = z.infer<typeof TaskEvents>;

export const Verification = z.object({
  tasks: Count,
  entries: Count,
  blobs: Count,
  /** Checkpoints and approvals. `foreign` are among the valid ones: signed with a key that is not known here as the writer's. */
  signatures: z.object({ valid: Count, foreign: Count, unsigned: Count }),
  faults: z.array(
    z.object({
      kind: z.enum(['integrity', 'completeness']),
      task: z.optional(TaskId),
      seq: z.optional(Count),
      blob: z.optional(Digest),
      text: z.string(),
    }),
  ),
});

// ── Packets ──

export const PacketList = z.object({
  task: TaskId,
  packets: z.array(
    z.object({
      number: Count,
      digest: Digest,
      seq: Count,
      at: z.int(),
      by: z.string(),
      certification: Certification,
      findings: z.nullable(Digest),
    }),
  ),
});
export type PacketList = z.infer<typeof PacketList>;

export const PacketPage = z.object({
  task: TaskId,
  number: Count,
  digest: Digest,
  certification: Certification,
  packet: Packet,
  contract: Contract,
  added: z.array(z.string()),
  findings: z.array(Finding),
});
export type PacketPage = z.infer<typeof PacketPage>;

// ── Reviews ──

export const ReviewQueue = z.object({
  reviews: z.array(
    z.object({
      card: Card,
      by: z.string(),
      at: z.int(),
      binds: Binding,
      /** The contract is not the one under which it was submitted. */
      amended: z.boolean(),
      certification: z.nullable(Certification),
      /** What the gate holds against it. */
      findings: z.array(Finding),
      shape: Shape,
      demands: z.array(z.string()),
      owner: Word,
    }),
  ),
  next: z.nullable(z.string()),
});
export type ReviewQueue = z.infer<typeof ReviewQueue>;

export const PageQuery = z.strictObject({ limit: Limit, cursor: z.optional(z.string()) });

// ── Changes ──

/** Nothing may be said, in an address or a body. */
export const Nothing = z.strictObject({});
export const ChangeQuery = z.strictObject({ dryRun: z.optional(z.boolean()) });

export const Outcome = z.object({
  task: TaskId,
  status: Status,
  seq: Count,
  generation: Count,
  holder: Word,
  offeredTo: Word,
  /** Until then the offer rests. */
  notBefore: Millis,
  leaseUntil: Millis,
  packet: z.nullable(Digest),
  head: Digest,
  /** The key was known: nothing was written now. */
  repeated: z.boolean(),
  dryRun: z.boolean(),
  /** The command that does the same. */
  twin: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

// ── Who asks ──

export const Me = z.object({
  id: z.string(),
  actor: Actor,
  task: z.nullable(TaskId),
  generation: z.nullable(Count),
  /** The leg with which it ends, where it is for more than that leg's task. */
  leg: z.nullable(z.object({ task: TaskId, generation: Count })),
  verbs: z.array(z.enum(verbs)),
  expiresAt: z.int(),
  /** To whom work can be offered besides agents: anyone, each lane, each coding agent that is known. */
  receivers: z.array(z.string()),
});

export const SignedOut = z.object({ signedOut: z.boolean() });

export const FeedQuery = z.strictObject({ after: z.optional(Count), task: z.optional(TaskId) });

/** The data of one event of the stream; its id is the position in the feed of all tasks. */
export const LiveEvent = z.object({
  position: Count,
  task: TaskId,
  seq: Count,
  digest: Digest,
  at: Millis,
  by: Word,
  types: z.array(z.string()),
});
export type LiveEvent = z.infer<typeof LiveEvent>;
