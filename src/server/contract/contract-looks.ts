/** The answers of `routes/looks.ts`: what is worked out for a reader from what is stored. */
import * as z from 'zod/mini';
import { PlanBudget } from '../../core/plan/crew.ts';
import { Lane } from '../../core/task/actor.ts';
import { Digest } from '../../core/journal/digest.ts';
import { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import type { StorySession, StoryStep } from '../../core/transcript/story.ts';
import { standingWords } from '../../desk/crew/run-overview.ts';
import { statuses } from '../../core/task/state.ts';
import { inboxKinds } from '../../handoff/views/inbox.ts';
import { places } from '../../ports/word-index.ts';
import { markKinds } from '../../handoff/history/timeline-marks.ts';
import { Card, EventsQuery, Leg } from './contract.ts';

const Count = z.int().check(z.minimum(0));
const Word = z.nullable(z.string());
const Spent = z.object({
  tokens: Count,
  costs: z.array(z.object({ amount: z.number(), unit: z.string() })),
});
const Millis = z.nullable(z.int());
const Status = z.enum(statuses);
const Limit = z.optional(z.int().check(z.minimum(1), z.maximum(limits.pageMax)));

/** How a run stands, in numbers. */
const runFields = {
  run: z.string(),
  task: TaskId,
  parallel: Count,
  /** Tasks that somebody works on, that could start if there were room, and that wait to be integrated. */
  working: Count,
  ready: Count,
  queue: Count,
  /** Tasks that wait for a person. */
  needing: Count,
  /** It is not over, and goes on only when somebody outside does something. */
  isStalled: z.boolean(),
  spent: Spent,
};

/** What an entry of a journal may say happened. */
export type { EventType } from '../../core/journal/event.ts';

export const TimelineAnswer = z.object({
  task: TaskId,
  legs: z.array(Leg),
  marks: z.array(
    z.object({
      seq: Count,
      at: z.int(),
      by: z.string(),
      kind: z.enum(markKinds),
      /** Of the leg or the offer that it is about; null before there was one. */
      lane: z.nullable(Lane),
      text: Word,
    }),
  ),
  now: z.int(),
});
export type TimelineAnswer = z.infer<typeof TimelineAnswer>;

/** Facts of a packet held against those of now, as the receiver would be told. */
export const DriftAnswer = z.object({
  task: TaskId,
  packet: Digest,
  /** Null where the packet has no facts of a workspace, or it cannot be looked at. */
  drift: z.nullable(
    z.array(
      z.object({
        fact: z.string(),
        was: Word,
        is: Word,
        standing: z.enum(['same', 'changed', 'committed', 'undone', 'gone', 'new']),
      }),
    ),
  ),
  /** Why the workspace could not be looked at. */
  unseen: Word,
  validation: z.array(
    z.object({
      run: z.array(z.string()),
      name: Word,
      outcome: z.nullable(z.enum(['passed', 'failed'])),
      standing: z.enum(['bound', 'stale', 'unknown', 'not-run']),
      at: z.nullable(z.int()),
      exit: z.nullable(z.int()),
    }),
  ),
  unwatched: Word,
  skills: z.array(
    z.object({
      skill: z.string(),
      by: z.enum(['contract', 'packet']),
      path: Word,
      carried: z.nullable(z.int()),
    }),
  ),
  /** A commit that is, or may be, missing here. */
  unpushed: Word,
  at: z.int(),
});
export type DriftAnswer = z.infer<typeof DriftAnswer>;

export const HistoryQuery = z.extend(EventsQuery, {
  /** The number of a step's name: the page around it, where `from` says nothing else. */
  at: z.optional(Count),
  /** Only what people and models said, calls of tools, or what failed; places then count among those. */
  show: z.optional(z.enum(['said', 'calls', 'failed'])),
});

export const TaskHistory = z.object({
  task: TaskId,
  total: Count,
  /** The place of the first step of this page, and of the step that was asked for by its name. */
  from: Count,
  at: z.nullable(Count),
  steps: z.array(z.looseObject({ ref: Count, session: Count, source: z.string(), text: z.string() })),
  sessions: z.array(z.looseObject({ rewritten: z.boolean() })),
  /** Whose the steps are: each leg from the first name that it brought. */
  legs: z.array(z.object({ ref: Count, generation: Count, agent: z.string(), lane: Lane })),
  unread: z.array(z.object({ runtime: z.string(), session: z.string(), why: z.string() })),
  next: z.nullable(Count),
});
export type TaskHistory = Omit<z.infer<typeof TaskHistory>, 'steps' | 'sessions'> & {
  readonly steps: readonly StoryStep[];
  readonly sessions: readonly StorySession[];
};

export const BriefingQuery = z.strictObject({
  budget: z.optional(z.int().check(z.minimum(limits.briefingTokensMin), z.maximum(limits.briefingTokensMax))),
  goal: z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
  /** A runtime or a model: counted for it, and for a runtime with what its agent is told before. */
  for: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

export const BriefingAnswer = z.object({
  task: TaskId,
  packet: z.nullable(Digest),
  /** Byte for byte what `staffetta brief` prints with the same options. */
  briefing: z.string(),
  tokens: Count,
  budget: Count,
  /** How many lines each part had to leave out. */
  cut: z.array(z.object({ section: z.string(), left: Count })),
  /** The programs that it can be counted for. */
  readers: z.array(z.string()),
});
export type BriefingAnswer = z.infer<typeof BriefingAnswer>;

export const InboxAnswer = z.object({
  items: z.array(
    z.object({
      kind: z.enum(inboxKinds),
      task: TaskId,
      title: z.string(),
      status: z.enum(statuses),
      text: z.string(),
      /** Whom work would go to that somebody has to say starts. */
      to: z.optional(z.string()),
      since: z.int(),
      /** The command that answers it; capitals stand for what a person fills in. */
      command: z.string(),
      /** Others that do, and where work was left. */
      others: z.array(z.string()),
      folder: z.optional(z.string()),
      decision: z.optional(Count),
      options: z.optional(z.array(z.string())),
      phase: z.optional(z.string()),
      effect: z.optional(z.string()),
      packet: z.optional(Digest),
    }),
  ),
  /** The tasks that need a person. What failed is told, and calls for nobody. */
  needing: z.array(TaskId),
  now: z.int(),
});
export type InboxAnswer = z.infer<typeof InboxAnswer>;

const Counts = z.object({
  opened: Count,
  done: Count,
  stopped: Count,
  sentBack: Count,
  lapsed: Count,
  tokens: Count,
});

/** What happened in the store, by the hour; and by lane how many legs ended, and how long they took. */
export const OverviewAnswer = z.object({
  hours: z.array(
    z.object({
      at: z.int(),
      counts: Counts,
      lanes: z.array(z.object({ lane: Lane, legs: Count, ms: Count })),
    }),
  ),
  /** The latest entries, the newest first. */
  recent: z.array(z.object({ task: TaskId, at: z.int(), by: z.string(), types: z.array(z.string()) })),
  /** Earlier entries were not counted; null where all were. */
  from: z.nullable(z.int()),
  now: z.int(),
});
export type OverviewAnswer = z.infer<typeof OverviewAnswer>;

/** Tasks that need others or go on from them, and those. */
export const GraphAnswer = z.object({
  nodes: z.array(z.object({ card: Card, needs: z.array(TaskId), fork: z.nullable(TaskId) })),
  /** There are more tasks than were looked through. */
  more: z.boolean(),
  now: z.int(),
});
export type GraphAnswer = z.infer<typeof GraphAnswer>;

// ── Sessions of coding agents ──

/** Those that worked where the server was started. */
export const SessionList = z.object({
  folder: z.string(),
  sessions: z.array(
    z.object({
      runtime: z.string(),
      id: z.string(),
      title: Word,
      lastPrompt: Word,
      startedAt: z.nullable(z.int()),
      updatedAt: z.int(),
      liveness: z.enum(['alive', 'dead', 'ended', 'unknown']),
    }),
  ),
  /** `here`: it can be started on the machine of the server. */
  programs: z.array(z.object({ name: z.string(), title: z.string(), here: z.boolean() })),
});
export type SessionList = z.infer<typeof SessionList>;

export const PassOnBody = z.strictObject({
  runtime: z.string(),
  session: z.string().check(z.minLength(1), z.maxLength(200)),
  /** The program that is to go on. */
  in: z.string(),
});

export const PassOnAnswer = z.object({ task: TaskId, command: z.string() });
export type PassOnAnswer = z.infer<typeof PassOnAnswer>;

/** When the sessions of a task ran, as they say themselves; a leg may only be their sealing. */
export const TaskSessions = z.object({
  task: TaskId,
  sessions: z.array(
    z.object({
      /** The leg that brought it. */
      generation: Count,
      runtime: z.string(),
      session: z.string(),
      model: Word,
      from: z.int(),
      until: z.int(),
      steps: Count,
      /** Tokens that the model wrote, by the program's own figures. */
      written: Count,
    }),
  ),
});
export type TaskSessions = z.infer<typeof TaskSessions>;

// ── Search ──

export const SearchQuery = z.strictObject({
  q: z.string().check(z.minLength(2), z.maxLength(200)),
  status: z.optional(z.array(Status)),
  lane: z.optional(Lane),
  holder: z.optional(z.string()),
  limit: Limit,
});

export const SearchAnswer = z.object({
  hits: z.array(
    z.object({
      task: TaskId,
      title: z.string(),
      status: Status,
      lane: z.nullable(Lane),
      holder: Word,
      where: z.enum(places),
      /** The field of a contract or a packet; in a history who said it, or `reasoning`, `calls`, `results`. */
      field: Word,
      /** The evidence id by which it is shown: j12, d3, s42. */
      ref: Word,
      seq: z.nullable(Count),
      at: Millis,
      by: Word,
      /** The words around what was found. */
      text: z.string(),
      /** Where in the text what was asked for stands: from, and up to, in UTF-16 code units. */
      marks: z.array(z.object({ from: Count, to: Count })),
    }),
  ),
  /** Tasks that were looked at because the words were found in them. */
  searched: Count,
  /** There is more than is listed here. */
  more: z.boolean(),
});

export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** What `/metrics` counts of the store, and the runs that are not over, for a page. */
export const FiguresAnswer = z.object({
  now: z.int(),
  /** Tasks by status; those that are over only where a store is not paid by the look. */
  tasks: z.partialRecord(z.enum(statuses), Count),
  /** Work that can be taken at this moment, by its lane, and how long the oldest of it has waited. */
  offers: z.partialRecord(Lane, Count),
  oldestOfferMs: z.nullable(Count),
  lapsed: Count,
  dead: Count,
  /** Called for again and again, and nobody could take it. */
  unheard: Count,
  conflicts: Count,
  runs: z.array(z.object(runFields)),
});
export type FiguresAnswer = z.infer<typeof FiguresAnswer>;

/** Changed paths that start something by themselves, or that tell agents, editors or build machines what to do. */
export const SensitivePaths = z.object({
  packet: Digest,
  paths: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type SensitivePaths = z.infer<typeof SensitivePaths>;

export const RunList = z.object({
  runs: z.array(
    z.object({
      task: TaskId,
      title: z.string(),
      status: z.enum(statuses),
      openedAt: z.int(),
      updatedAt: z.int(),
    }),
  ),
});
export type RunList = z.infer<typeof RunList>;

export const RunAnswer = z.object({
  ...runFields,
  goal: z.string(),
  status: z.enum(statuses),
  /** Why nothing is to start. */
  paused: Word,
  /** A cap is reached, and a person is asked whether to go on: `more` is as much again. */
  capped: z.nullable(z.object({ decision: Count, why: z.string() })),
  caps: z.nullable(PlanBudget),
  /** Over, and waits for a person to approve it. */
  phase: Word,
  /** Null where nobody supervises it, and nothing starts. */
  supervisor: Word,
  branch: Word,
  kept: z.array(z.string()),
  counts: z.record(z.enum(standingWords), Count),
  rows: z.array(
    z.object({
      name: z.string(),
      task: TaskId,
      title: z.string(),
      status: z.nullable(z.enum(statuses)),
      stands: z.enum(standingWords),
      needs: z.array(z.string()),
      lane: z.nullable(Lane),
      holder: Word,
      runtime: Word,
      /** For whom or what it waits, in a sentence without its subject. */
      wait: Word,
      until: Millis,
      /** Whom it goes to once somebody says that it should start; null of any other. */
      startsWith: Word,
      progress: z.nullable(
        z.object({ at: z.number(), of: z.nullable(z.number()), unit: Word, cursor: Word }),
      ),
      spent: Spent,
      commit: Word,
      legs: z.array(z.omit(Leg, { why: true, notes: true, packets: true })),
      verdicts: z.array(z.object({ at: z.int(), by: z.string(), approve: z.boolean() })),
    }),
  ),
  /** Not among the rows. */
  more: Count,
  now: z.int(),
});
export type RunAnswer = z.infer<typeof RunAnswer>;
