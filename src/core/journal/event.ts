/**
 * The facts a journal can hold. An event says what happened, never what to do; `fold` turns a sequence of them into a
 * task's state. Every event has a `type` and a version `v`. A stored event is never rewritten: when a shape changes,
 * the new shape gets the next `v` here and one function in `upcast.ts` that lifts the old one.
 */
import * as z from 'zod/mini';
import { Lane } from '../task/actor.ts';
import { assert } from '../base/assert.ts';
import { Address } from '../task/address.ts';
import { crewShapes } from './crew-events.ts';
import { fitsReason, fitsTerms, v2 } from './event-versions.ts';
import { termsShape } from '../contract/terms.ts';
import { Digest } from './digest.ts';
import { TaskId } from './id.ts';
import { limits } from '../base/limits.ts';
import { parse } from '../base/parse.ts';
import { findingShape } from '../task/review-finding.ts';
import { Name, Text, Title } from '../base/text.ts';
import { startShape } from '../task/start.ts';
import { triggers } from './trigger.ts';

const v = z.literal(1);
const Count = z.int().check(z.minimum(0));
const Millis = z.int().check(z.minimum(0));
/** 64 bytes, in base64. */
const SignatureText = z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/));
const Texts = z.array(Text).check(z.maxLength(limits.listItemsMax));

/** A command's program and arguments. */
export const CommandWords = z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(100));

const runEnds = ['exited', 'signalled', 'timed-out', 'interrupted', 'not-started'] as const;

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
  'need-failed',
  'asked',
  'stalled',
  'budget',
  'conflict',
] as const;
export const EscalationReason = z.enum(escalationReasons);
export type EscalationReason = z.infer<typeof EscalationReason>;

/** By type. Built when first needed: a command that reads one kind of event does not pay for thirty. */
const shapes = {
  ...crewShapes,

  'task-opened': () =>
    z
      .strictObject({ type: z.literal('task-opened'), v: v2, contract: Digest, terms: termsShape() })
      .check(fitsTerms),

  /** Beside `task-opened`: the task goes on from a packet of another one, whose journal up to that entry is its history too. */
  /** From here on it lives in the store that is named, and what is here is a copy. */
  'task-left': () => z.strictObject({ type: z.literal('task-left'), v, to: Text, why: z.optional(Text) }),
  /** It goes on here, with the holder and the generation that it had there. */
  'task-arrived': () => z.strictObject({ type: z.literal('task-arrived'), v, from: Text }),

  'task-forked': () =>
    z.strictObject({
      type: z.literal('task-forked'),
      v,
      /** The entry that sealed the packet. Its digest binds everything before it. */
      from: z.strictObject({ task: TaskId, seq: Count, digest: Digest }),
      packet: Digest,
      /** How that packet was certified, and the workspace it was sealed on. */
      certification: Certification,
      workspace: z.optional(Digest),
      /** Who wrote what is taken over: they may not approve what becomes of it. */
      authors: z.array(Name),
      /** Why only a person may approve what is taken over. */
      demands: z.optional(Texts),
      /** Where the work began that is taken over: what was committed in it counts here too. */
      start: z.optional(startShape()),
      why: Text,
    }),

  'contract-amended': () =>
    z
      .strictObject({
        type: z.literal('contract-amended'),
        v: v2,
        contract: Digest,
        terms: termsShape(),
        why: Text,
      })
      .check(fitsTerms),

  'offer-made': () =>
    z.strictObject({
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
    }),

  'offer-withdrawn': () =>
    z.strictObject({
      type: z.literal('offer-withdrawn'),
      v,
      offer: Count,
      why: z.optional(Text),
    }),
  'offer-declined': () =>
    z.strictObject({
      type: z.literal('offer-declined'),
      v,
      offer: Count,
      reasons: Texts,
    }),
  'offer-expired': () => z.strictObject({ type: z.literal('offer-expired'), v, offer: Count }),

  /** A dead letter: work that used up its attempts. It waits, whole, until somebody re-drives it. */
  'offer-dead': () =>
    z.strictObject({
      type: z.literal('offer-dead'),
      v,
      to: Address,
      lane: Lane,
      packet: z.nullable(Digest),
      attempts: Count,
      why: Text,
    }),

  'leg-started': () =>
    z.strictObject({
      type: z.literal('leg-started'),
      v,
      generation: z.int().check(z.minimum(1)),
      /** Null where the task was taken without an offer: by its opener, or by a giver that withdrew. */
      offer: z.nullable(Count),
      lane: Lane,
      leaseMs: Millis,
      leaseUntil: Millis,
      /** Where the work began; with the first leg that had a git workspace. */
      start: z.optional(startShape()),
    }),
  'leg-acknowledged': () =>
    z.strictObject({
      type: z.literal('leg-acknowledged'),
      v,
      goal: Text,
      gate: Text,
      next: Text,
    }),
  'leg-ended': () =>
    z.strictObject({
      type: z.literal('leg-ended'),
      v,
      generation: Count,
      outcome: LegOutcome,
      why: z.optional(Text),
    }),
  'leg-lapsed': () =>
    z.strictObject({
      type: z.literal('leg-lapsed'),
      v,
      generation: Count,
      leaseUntil: Millis,
    }),

  'checkpoint-sealed': () =>
    z.strictObject({
      type: z.literal('checkpoint-sealed'),
      v,
      packet: Digest,
      parent: z.nullable(Digest),
      certification: Certification,
      /** Digest of the workspace as probed; absent where nothing was probed. */
      workspace: z.optional(Digest),
      /** What the gate found, as a blob; absent where it found nothing. */
      findings: z.optional(Digest),
      /** Why only a person may approve what this packet holds. */
      demands: z.optional(Texts),
    }),

  note: () => z.strictObject({ type: z.literal('note'), v, text: Text }),

  'decision-made': () =>
    z.strictObject({
      type: z.literal('decision-made'),
      v,
      decision: Count,
      text: Text,
      why: z.optional(Text),
      rejected: z.optional(Texts),
    }),
  'decision-raised': () =>
    z.strictObject({
      type: z.literal('decision-raised'),
      v,
      decision: Count,
      question: Text,
      options: z.optional(Texts),
      owner: z.optional(Address),
    }),
  'decision-answered': () =>
    z.strictObject({
      type: z.literal('decision-answered'),
      v,
      decision: Count,
      answer: Text,
    }),

  /** A dead end worth remembering: what was tried and why it does not work. */
  'attempt-failed': () =>
    z.strictObject({
      type: z.literal('attempt-failed'),
      v,
      what: Text,
      why: Text,
    }),

  'progress-moved': () =>
    z.strictObject({
      type: z.literal('progress-moved'),
      v,
      at: Count,
      of: z.optional(Count),
      unit: z.optional(Title),
      cursor: z.optional(Text),
    }),

  /** What a program needs to go on from here, byte for byte as it gave it. Nobody else reads it. */
  'state-kept': () => z.strictObject({ type: z.literal('state-kept'), v, program: Name, state: Digest }),

  /** A command of the contract was run by the tool, which saw how it ended. */
  'validation-run': () =>
    z.strictObject({
      type: z.literal('validation-run'),
      v,
      run: CommandWords,
      shell: z.optional(z.literal(true)),
      name: z.optional(Title),
      /** Null where it did not exit by itself. */
      exit: z.nullable(z.int()),
      ended: z.enum(runEnds),
      ms: Millis,
      output: z.optional(Digest),
      outputBytes: Count,
      /** The workspace it ran on, if it left it as it was; else null. */
      workspace: z.nullable(Digest),
      /** For which phase, and whether to verify it or to undo it. */
      phase: z.optional(z.strictObject({ name: Title, part: z.enum(['verify', 'rollback']) })),
    }),

  'phase-started': () =>
    z.strictObject({
      type: z.literal('phase-started'),
      v,
      phase: Title,
      workspace: z.optional(Digest),
    }),
  'phase-verified': () =>
    z.strictObject({
      type: z.literal('phase-verified'),
      v,
      phase: Title,
      workspace: z.optional(Digest),
      /** What shows it, where no command does. */
      because: z.optional(Text),
    }),
  'phase-failed': () => z.strictObject({ type: z.literal('phase-failed'), v, phase: Title, why: Text }),
  'phase-rolled-back': () =>
    z.strictObject({
      type: z.literal('phase-rolled-back'),
      v,
      phase: Title,
      why: Text,
      workspace: z.optional(Digest),
    }),

  message: () => z.strictObject({ type: z.literal('message'), v, text: Text }),
  'messages-read': () => z.strictObject({ type: z.literal('messages-read'), v, through: Count }),
  'need-met': () => z.strictObject({ type: z.literal('need-met'), v, task: TaskId }),

  'effect-intended': () =>
    z.strictObject({
      type: z.literal('effect-intended'),
      v,
      effect: Name,
      /** Given to the outside system as its idempotency key; a retry by a later holder reuses it. */
      token: z.string(),
    }),
  'effect-settled': () =>
    z.strictObject({
      type: z.literal('effect-settled'),
      v,
      effect: Name,
      outcome: z.enum(['done', 'failed']),
      receipt: z.optional(Text),
      /** A receipt too long for an entry. */
      receiptBlob: z.optional(Digest),
    }),

  submitted: () => z.strictObject({ type: z.literal('submitted'), v, packet: z.nullable(Digest) }),
  'review-approved': () =>
    z.strictObject({
      type: z.literal('review-approved'),
      v,
      packet: z.nullable(Digest),
      contract: Digest,
      why: z.optional(Text),
    }),
  'review-sent-back': () =>
    z.strictObject({
      type: z.literal('review-sent-back'),
      v,
      packet: z.nullable(Digest),
      findings: z.array(findingShape()).check(z.minLength(1), z.maxLength(limits.listItemsMax)),
    }),
  /** Right after a checkpoint or an approval: the actor that wrote it vouches for it; see `attestation.ts`. */
  signed: () => z.strictObject({ type: z.literal('signed'), v, key: Digest, signature: SignatureText }),
  escalated: () =>
    z
      .strictObject({ type: z.literal('escalated'), v: v2, reason: EscalationReason, text: Text })
      .check(fitsReason),
  'task-done': () => z.strictObject({ type: z.literal('task-done'), v }),
  'task-failed': () => z.strictObject({ type: z.literal('task-failed'), v, why: Text }),
  'task-cancelled': () => z.strictObject({ type: z.literal('task-cancelled'), v, why: Text }),
};

export type EventType = keyof typeof shapes;
export type EventOf<T extends EventType> = z.infer<ReturnType<(typeof shapes)[T]>>;
export type Event = { [T in EventType]: EventOf<T> }[EventType];

export const eventTypes = Object.keys(shapes) as readonly EventType[];

const built = new Map<EventType, z.ZodMiniType<Event>>();

/** The schema of one type of event; undefined for a type this version does not know. */
export function eventShape(type: unknown): z.ZodMiniType<Event> | undefined {
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return undefined;
  const known = type as EventType;
  let shape = built.get(known);
  if (shape === undefined) {
    shape = shapes[known]() as unknown as z.ZodMiniType<Event>;
    built.set(known, shape);
  }
  return shape;
}

/** What `decide` made from a caller's words, checked before it is written. */
export function checkEvent(event: Event): Event {
  const shape = eventShape(event.type);
  assert(shape !== undefined, `no shape for ${event.type}`);
  return parse(shape, event, event.type);
}
