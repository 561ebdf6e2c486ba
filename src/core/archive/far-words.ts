/**
 * What two ends of a move say to each other where one of them is on another machine. Lines of JSON, one question and one answer at a time;
 * exports go between them in frames.
 *
 *   far end:  { "staffetta": "far-end", "v": 1, "version": … }       once, before anything is asked
 *   asker:    { "ask": …, … }
 *   far end:  { "ok": … } or { "error": { code, message, … } }
 *   bytes:    { "bytes": n } LF and n bytes and LF, as often as needed, then { "bytes": 0 }
 *             after the question `adopt`, and before the answer to `copy`
 */
import * as z from 'zod/mini';
import { Text } from '../base/text.ts';
import { Digest } from '../journal/digest.ts';
import { TaskId } from '../journal/id.ts';
import { Actor } from '../task/actor.ts';
import { statuses } from '../task/state.ts';

export const farVersion = 1;
/** More in one frame would have to be held in memory. */
export const frameBytesMax = 1024 * 1024;

export const FarGreeting = z.object({
  staffetta: z.literal('far-end'),
  v: z.int(),
  version: z.string(),
});

export const FarQuestion = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('open'),
    /** From the home of the user there; absent for the home itself. */
    folder: z.optional(Text),
    by: Actor,
    dryRun: z.boolean(),
  }),
  z.object({ ask: z.literal('list') }),
  z.object({ ask: z.literal('find'), task: Text }),
  z.object({ ask: z.literal('standing'), task: TaskId }),
  /** What is held is sealed and given back. */
  z.object({ ask: z.literal('rest'), task: TaskId, why: Text }),
  z.object({ ask: z.literal('copy'), task: TaskId }),
  z.object({ ask: z.literal('leave'), task: TaskId, to: Text, why: z.optional(Text) }),
  z.object({ ask: z.literal('adopt'), dryRun: z.boolean() }),
  z.object({ ask: z.literal('arrive'), task: TaskId, from: Text }),
  z.object({ ask: z.literal('has-commit'), commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) }),
]);
export type FarQuestion = z.infer<typeof FarQuestion>;

const Status = z.enum(statuses);

/** What `ok` holds, by question. */
export const farAnswers = {
  open: z.object({
    name: Text,
    folder: Text,
    isNew: z.boolean(),
    /** Coding agents that can be started there; an older end does not say. */
    programs: z.optional(z.array(Text)),
  }),
  list: z.array(z.object({ task: TaskId, title: z.string(), status: Status })),
  find: TaskId,
  standing: z.nullable(
    z.object({
      task: TaskId,
      status: Status,
      head: Digest,
      away: z.optional(z.string()),
      isOver: z.boolean(),
      together: z.array(TaskId),
    }),
  ),
  rest: z.null(),
  copy: z.null(),
  leave: z.null(),
  adopt: z.object({ task: TaskId, status: Status, entries: z.int(), unchanged: z.boolean() }),
  arrive: z.object({ status: Status, isNew: z.boolean() }),
  'has-commit': z.nullable(z.boolean()),
} as const;
export type FarAnswer<A extends FarQuestion['ask']> = z.infer<(typeof farAnswers)[A]>;

export const FarReply = z.union([
  z.object({ ok: z.unknown() }),
  z.object({
    error: z.object({
      /** A newer end may have codes that are not known here. */
      code: z.string(),
      message: z.string(),
      hint: z.optional(z.string()),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  }),
]);

export const FarFrame = z.object({ bytes: z.int().check(z.minimum(0), z.maximum(frameBytesMax)) });
