/**
 * A conversation with an agent, whatever program wrote it: the neutral view from which briefings, exports and native sessions
 * of other programs are made. It is always derived from the native records, which stay the authority; `record` leads back.
 *
 * Steps are numbered from 1 without gaps: `s42` names the forty-second, and is what a claim gives as evidence. The numbers of a
 * growing session never change, because steps are only added at its end; whatever a program took back (a branch that
 * was left, history that a compaction replaced) keeps its steps and says so in `aside`.
 *
 *   user     what a person said, verbatim. What a program put into a user's mouth (context, reminders, hook output) is `system`
 *   agent    what the model said: text, readable reasoning, calls; and the results of these calls, which belong to the same step
 *   system   what the program added, and what happened to the conversation: compactions, interruptions, errors
 */
export const sources = ['user', 'agent', 'system'] as const;
export type StepSource = (typeof sources)[number];

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface ToolCall {
  /** As the program named it; unique within the session. */
  readonly id: string;
  /** As the model called it. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Where the arguments are no JSON object: as they were. */
  readonly raw?: string;
  /** The session of the agent that this call started. */
  readonly subagent?: string;
  /** Made by a script and not by the model itself: the call of this step that ran the script. */
  readonly within?: string;
  /** The folder that it was made in, where the program keeps that and it is not the session's. */
  readonly folder?: string;
}

export interface Result {
  readonly call: string;
  readonly text: string;
  readonly failed: boolean;
  /** The program recorded that it went well. Where it says neither this nor that it failed, nobody knows: it ran. */
  readonly passed?: true;
  /** Exit code, where the program recorded one. */
  readonly exit?: number;
  /** Content that is no text: pictures, files. Listed by kind, never inlined. */
  readonly other?: readonly string[];
  /** What a person said by it, by the program's own record and never by what a tool printed. */
  readonly said?: readonly Reply[];
  /** A person refused the call: it did not run, and did not fail either. */
  readonly refused?: true;
  /** The id that the program gave to the task which the call put on its list. */
  readonly task?: string;
}

/** Words of a person in answer to a call. */
export interface Reply {
  readonly text: string;
  /** What the agent asked with the call; absent where the words came with a refusal. */
  readonly question?: string;
}

/** By the program's own figures, once per answer of the model. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
  /** All that the model had in its window, and how much fits. */
  readonly window?: number;
  readonly windowMax?: number;
}

/** What happened to the conversation itself; `command`: a user steered the program, and asked no agent for anything. */
export const marks = [
  'context',
  'command',
  'compaction',
  'interrupted',
  'error',
  'usage-limit',
  'rate-limited',
  'context-limit',
  'resumed',
  'ended',
] as const;
export type StepMark = (typeof marks)[number];

/** Why the model does not see a step any more; or, where it is a copy of one before, why it is not told. */
export const asides = ['branch-left', 'compacted', 'rewritten', 'repeated'] as const;
export type Aside = (typeof asides)[number];

/**
 * What the program itself wrote of the conversation so far: in place of what the model does not see any more, or for a person who
 * comes back.
 */
export const summaries = ['compaction', 'recap'] as const;
export type Summary = (typeof summaries)[number];

export interface Step {
  readonly id: number;
  readonly source: StepSource;
  /** Milliseconds since 1970; null where the program kept none. */
  readonly at: number | null;
  readonly text: string;
  /** Readable reasoning only; what is encrypted or signed away is a loss. */
  readonly reasoning?: string;
  readonly model?: string;
  readonly calls?: readonly ToolCall[];
  readonly results?: readonly Result[];
  readonly usage?: Usage;
  readonly mark?: StepMark;
  /** The text is such a summary. A compaction without one replaced the history by words that only the service can read. */
  readonly summary?: Summary;
  readonly aside?: Aside;
  /** The place of its first record among those that were captured, from 0. */
  readonly record: number;
}

/** What a conversion or a capture did not carry over. */
export interface Omission {
  /** A short name, the same for all of its kind: `reasoning-encrypted`, `request-log`, `image`. */
  readonly kind: string;
  readonly count: number;
  readonly why: string;
}

/** What a session says of itself. */
export interface SessionFacts {
  readonly runtime: string;
  readonly session: string;
  readonly version: string | null;
  readonly model: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly startedAt: number | null;
  readonly title: string | null;
  /** The session that started this one. */
  readonly parent: string | null;
  /** What the program last let its model do without asking, in its own words; absent where it does not say. */
  readonly permissions?: string;
}

export interface Transcript {
  readonly facts: SessionFacts;
  readonly steps: readonly Step[];
  readonly omissions: readonly Omission[];
  /** Calls without a result at the end: what was under way when it stopped. */
  readonly unanswered: readonly ToolCall[];
}
