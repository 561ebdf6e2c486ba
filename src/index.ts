export { openStaffetta, Staffetta } from './library/staffetta.ts';
export type {
  AgentReview,
  AgentWork,
  CrewAgentOptions,
  CrewChange,
  CrewMember,
  CrewOf,
  CrewOptions,
  CrewPlan,
  CrewReview,
  CrewRun,
  Received,
  Receives,
} from './library/crew.ts';
export type { EndOfRun } from './crew/take-run.ts';
export type { AmendInput } from './handoff/verbs/amend.ts';
export type { As, StaffettaOptions } from './library/staffetta.ts';
export type { BriefingAsked, EventsAsked, StoreEvent, TaskLook } from './library/looks.ts';
export { toChat } from './core/formats/to-chat.ts';
export type { ChatMessages, MessageShape } from './core/formats/to-chat.ts';
export type { KeptState } from './handoff/history/kept-states.ts';
export type { Who } from './library/who.ts';
export { Leg } from './handoff/verbs/leg.ts';
export type { Once } from './handoff/verbs/leg.ts';
export type { Handler, Worker, WorkerOptions } from './crew/worker.ts';
export type { Restatement } from './core/task/command.ts';
export type {
  AskedReason,
  PhaseApproval,
  SteerInput,
  UsageInput,
  WaitingMessage,
} from './handoff/verbs/outside.ts';
export type { Recorded } from './handoff/record/record.ts';
export type { HandoffInput } from './handoff/verbs/handoff.ts';
export type { PacketInput } from './handoff/sealing/gather.ts';
export type { ContractInput, OpenOptions } from './handoff/verbs/open.ts';
export type { ForkInput } from './handoff/verbs/fork.ts';
export type { Gate } from './handoff/record/context.ts';
export type { PhaseOptions, PhaseOutcome, PhaseView } from './handoff/verbs/phase.ts';
export type { Ran, RecordedRun } from './handoff/verbs/run.ts';
export type { SealedRecord } from './handoff/sealing/sealing.ts';
export type { ValidateOptions } from './handoff/verbs/validate.ts';
export type { CheckpointInput } from './handoff/verbs/finish.ts';
export type { EndingInput } from './handoff/verbs/leg.ts';
export type { Finding, Severity } from './core/gate/finding.ts';
export type { Exported } from './handoff/trust/export.ts';
export type { Imported, ImportedTask, ImportSource } from './handoff/trust/import.ts';
export type { DamagedTask } from './handoff/record/damage.ts';
export type { NextOptions, TakeOptions } from './handoff/verbs/take.ts';
export type { IntegrateInput, Verdict } from './handoff/verbs/finish.ts';
export type { EffectHandle, EffectOptions } from './handoff/verbs/effect.ts';
export type { HistoryItem } from './handoff/history/history.ts';
export type { TimelineLeg } from './handoff/history/timeline.ts';
export type { DoubtedLease, Recovery, RecoverOptions } from './handoff/verbs/recover.ts';
export type { Fault, Verification } from './handoff/trust/verify.ts';
export type { SweepOptions, Swept } from './handoff/verbs/sweep.ts';
export { exportHistory, historyFormats } from './handoff/history/export-history.ts';
export type { ExportedHistory, HistoryFormat, HistoryOptions } from './handoff/history/export-history.ts';
export { checkAtif } from './core/formats/atif-check.ts';
export type { AtifFault } from './core/formats/atif-check.ts';
export { readAtif, readAtifTree } from './core/formats/atif-read.ts';
export { toAtif } from './core/formats/atif.ts';
export type { AtifOptions } from './core/formats/atif.ts';
export { readByShape } from './core/formats/shapes/detect.ts';
export type { Omission, Transcript } from './core/transcript/step.ts';
export type { Story, StorySession, StoryStep } from './core/transcript/story.ts';
export { toAiSdk } from './core/formats/to-ai-sdk.ts';
export type { AiSdkMessage, AiSdkMessages, AiSdkOptions } from './core/formats/to-ai-sdk.ts';
export { toJson } from './core/formats/to-json.ts';
export { toMarkdown } from './core/formats/to-markdown.ts';
export type { MarkdownOptions } from './core/formats/to-markdown.ts';
export { isStaffettaError, StaffettaError, errorCodes } from './core/base/error.ts';
export type { ErrorCode } from './core/base/error.ts';
export type { Actor, Lane } from './core/task/actor.ts';
export type { Address } from './core/task/address.ts';
export type { CarryEvent, OfferTerms } from './core/task/command.ts';
export type { Contract } from './core/contract/contract.ts';
export type { Edges, Money, TaskBudget } from './core/contract/terms.ts';
export type { Digest } from './core/journal/digest.ts';
export type { Entry } from './core/journal/entry.ts';
export type { Event, Trigger } from './core/journal/event.ts';
export type { ReviewFinding } from './core/task/review-finding.ts';
export type { TaskId } from './core/journal/id.ts';
export type { Claims, Packet } from './core/packet/packet.ts';
export type { Status, TaskState } from './core/task/state.ts';
export type { CardPage, CardQuery, ListedCard, Store } from './library/staffetta.ts';
export type { Clock, Entropy, Reached, NamedStep } from './library/staffetta.ts';
