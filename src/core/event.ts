/**
 * The facts a journal can hold. An event says what happened, never what to do; `fold` turns a sequence of them into a
 * task's state. Every event has a `type` and a version `v`. A stored event is never rewritten: when a shape changes,
 * the new shape gets the next `v` here and one function in `upcast.ts` that lifts the old one.
 */
import * as z from 'zod/mini';
import { Lane } from './actor.ts';
import { Address } from './address.ts';
import { Terms } from './contract.ts';
import { Digest } from './digest.ts';
import { TaskId } from './id.ts';
import { limits } from './limits.ts';
import { Name, Text, Title } from './text.ts';

const v = z.literal(1);
const Count = z.int().check(z.minimum(0));
const Millis = z.int().check(z.minimum(0));
const Texts = z.array(Text).check(z.maxLength(limits.listItemsMax));

export const triggers = ['planned', 'context-limit', 'usage-limit', 'timeout', 'crash', 'user'] as const;
export const Trigger = z.enum(triggers);
export type Trigger = z.infer<typeof Trigger>;

export const offerCauses = ['opened', 'handoff', 'lapse', 'retry', 'expiry', 'review', 'redrive'] as const;
export const OfferCause = z.enum(offerCauses);
export type OfferCause = z.infer<typeof OfferCause>;

export const legOutcomes = [
  'handed-off',
  'submitted',
  'completed',
  'attempt-failed',
  'failed',
  'declined',
  'escalated',
  'cancelled',
] as const;
export const LegOutcome = z.enum(legOutcomes);
export type LegOutcome = z.infer<typeof LegOutcome>;

export const certifications = ['draft', 'valid', 'verified', 'ready'] as const;
export const Certification = z.enum(certifications);
export type Certification = z.infer<typeof Certification>;

export const escalationReasons = [
  'bounce',
  'idle-hops',
  'hop-cap',
  'rework-cap',
  'attempts-cap',
  'asked',
] as const;
export const EscalationReason = z.enum(escalationReasons);
export type EscalationReason = z.infer<typeof EscalationReason>;

export const ReviewFinding = z.strictObject({
  text: Text,
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  line: z.optional(z.int().check(z.minimum(1))),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

const TaskOpened = z.strictObject({
  type: z.literal('task-opened'),
  v,
  contract: Digest,
  terms: Terms,
});

const ContractAmended = z.strictObject({
  type: z.literal('contract-amended'),
  v,
  contract: Digest,
  terms: Terms,
  why: Text,
});

const OfferMade = z.strictObject({
  type: z.literal('offer-made'),
  v,
  /** Counts a task's offers from 1. */
  offer: z.int().check(z.minimum(1)),
  to: Address,
  lane: Lane,
  packet: z.nullable(Digest),
  cause: OfferCause,
  trigger: z.optional(Trigger),
  why: z.optional(Text),
  /** Counts deliveries of the same work from 1; a success starts over. */
  attempt: z.int().check(z.minimum(1)),
  notBefore: z.optional(Millis),
  expiresMs: z.optional(Millis),
});

const OfferWithdrawn = z.strictObject({
  type: z.literal('offer-withdrawn'),
  v,
  offer: Count,
  why: z.optional(Text),
});
const OfferDeclined = z.strictObject({
  type: z.literal('offer-declined'),
  v,
  offer: Count,
  reasons: Texts,
});
const OfferExpired = z.strictObject({ type: z.literal('offer-expired'), v, offer: Count });

/** A dead letter: work that used up its attempts. It waits, whole, until somebody re-drives it. */
const OfferDead = z.strictObject({
  type: z.literal('offer-dead'),
  v,
  to: Address,
  lane: Lane,
  packet: z.nullable(Digest),
  attempts: Count,
  why: Text,
});

const LegStarted = z.strictObject({
  type: z.literal('leg-started'),
  v,
  generation: z.int().check(z.minimum(1)),
  /** Null where the task was taken without an offer: by its opener, or by a giver that withdrew. */
  offer: z.nullable(Count),
  lane: Lane,
  leaseMs: Millis,
  leaseUntil: Millis,
});
const LegAcknowledged = z.strictObject({
  type: z.literal('leg-acknowledged'),
  v,
  goal: Text,
  gate: Text,
  next: Text,
});
const LegEnded = z.strictObject({
  type: z.literal('leg-ended'),
  v,
  generation: Count,
  outcome: LegOutcome,
  why: z.optional(Text),
});
const LegLapsed = z.strictObject({
  type: z.literal('leg-lapsed'),
  v,
  generation: Count,
  leaseUntil: Millis,
});

const CheckpointSealed = z.strictObject({
  type: z.literal('checkpoint-sealed'),
  v,
  packet: Digest,
  parent: z.nullable(Digest),
  certification: Certification,
  /** Digest of the workspace as probed; absent where nothing was probed. */
  workspace: z.optional(Digest),
});

const Note = z.strictObject({ type: z.literal('note'), v, text: Text });

const DecisionMade = z.strictObject({
  type: z.literal('decision-made'),
  v,
  decision: Count,
  text: Text,
  why: z.optional(Text),
  rejected: z.optional(Texts),
});
const DecisionRaised = z.strictObject({
  type: z.literal('decision-raised'),
  v,
  decision: Count,
  question: Text,
  options: z.optional(Texts),
  owner: z.optional(Address),
});
const DecisionAnswered = z.strictObject({
  type: z.literal('decision-answered'),
  v,
  decision: Count,
  answer: Text,
});

/** A dead end worth remembering: what was tried and why it does not work. */
const AttemptFailed = z.strictObject({
  type: z.literal('attempt-failed'),
  v,
  what: Text,
  why: Text,
});

const ProgressMoved = z.strictObject({
  type: z.literal('progress-moved'),
  v,
  at: Count,
  of: z.optional(Count),
  unit: z.optional(Title),
  cursor: z.optional(Text),
});

const Message = z.strictObject({ type: z.literal('message'), v, text: Text });
const MessagesRead = z.strictObject({ type: z.literal('messages-read'), v, through: Count });
const NeedMet = z.strictObject({ type: z.literal('need-met'), v, task: TaskId });

const EffectIntended = z.strictObject({
  type: z.literal('effect-intended'),
  v,
  effect: Name,
  /** Given to the outside system as its idempotency key; a retry by a later holder reuses it. */
  token: z.string(),
});
const EffectSettled = z.strictObject({
  type: z.literal('effect-settled'),
  v,
  effect: Name,
  outcome: z.enum(['done', 'failed']),
  receipt: z.optional(Text),
});

const Submitted = z.strictObject({ type: z.literal('submitted'), v, packet: z.nullable(Digest) });
const ReviewApproved = z.strictObject({
  type: z.literal('review-approved'),
  v,
  packet: z.nullable(Digest),
  contract: Digest,
  why: z.optional(Text),
});
const ReviewSentBack = z.strictObject({
  type: z.literal('review-sent-back'),
  v,
  packet: z.nullable(Digest),
  findings: z.array(ReviewFinding).check(z.minLength(1), z.maxLength(limits.listItemsMax)),
});
const Escalated = z.strictObject({
  type: z.literal('escalated'),
  v,
  reason: EscalationReason,
  text: Text,
});
const TaskDone = z.strictObject({ type: z.literal('task-done'), v });
const TaskFailed = z.strictObject({ type: z.literal('task-failed'), v, why: Text });
const TaskCancelled = z.strictObject({ type: z.literal('task-cancelled'), v, why: Text });

export const Event = z.discriminatedUnion('type', [
  TaskOpened,
  ContractAmended,
  OfferMade,
  OfferWithdrawn,
  OfferDeclined,
  OfferExpired,
  OfferDead,
  LegStarted,
  LegAcknowledged,
  LegEnded,
  LegLapsed,
  CheckpointSealed,
  Note,
  DecisionMade,
  DecisionRaised,
  DecisionAnswered,
  AttemptFailed,
  ProgressMoved,
  Message,
  MessagesRead,
  NeedMet,
  EffectIntended,
  EffectSettled,
  Submitted,
  ReviewApproved,
  ReviewSentBack,
  Escalated,
  TaskDone,
  TaskFailed,
  TaskCancelled,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

export const eventTypes: readonly EventType[] = Event.def.options.flatMap(
  (option) => option.shape.type.def.values,
);

/** The blobs an event names directly. A packet names more; see `packetBlobs`. */
export function eventBlobs(event: Event): Digest[] {
  switch (event.type) {
    case 'task-opened':
    case 'contract-amended':
      return [event.contract];
    case 'checkpoint-sealed':
      return [event.packet];
    default:
      return [];
  }
}
