export type { Bell } from './bell.ts';
export type { BlobInfo, BlobStore } from './blobs.ts';
export type { Clock } from './clock.ts';
export type { Entropy } from './entropy.ts';
export type { GrantKeeper } from './grants.ts';
export type {
  AdoptedEntry,
  Adoption,
  Append,
  Appended,
  CardPage,
  CardQuery,
  Catalog,
  FeedEntry,
  Head,
  HintChange,
  JournalStore,
  Lease,
  LeaseChange,
  ListedCard,
  StoredEntry,
  Waiting,
  WaitQuery,
} from './journal.ts';
export type { Delivery, Hint, Mailbox, ReceiveOptions } from './mailbox.ts';
export { runtimeNames } from './runtime.ts';
export type {
  Captured,
  CapturedEnd,
  Cursor,
  Installation,
  Launch,
  LaunchOptions,
  Prompt,
  Runtime,
  RuntimeName,
  SessionCard,
  SessionPlace,
  SessionQuery,
  SessionToContinue,
  Start,
  Toolbox,
  Working,
  WriteOptions,
  WrittenSession,
} from './runtime.ts';
export type {
  LegOrder,
  LegSign,
  LegUsage,
  OpenLeg,
  PermissionQuestion,
  Runner,
  RunnerKind,
  TurnEnd,
} from './runner.ts';
export { steps, unobserved } from './step.ts';
export type { Reached, NamedStep } from './step.ts';
export { StoreAddress, urlAddress } from './store-address.ts';
export type { FailedValidation, Integrate, IntegrateOrder, Integration, LandOutcome } from './integrate.ts';
export type { LeaseToKeep, Renewer, StorageFault, Store, Upkeep } from './store.ts';
export type {
  BaseGround,
  Furnished,
  Furnishing,
  KeptReason,
  KeptTree,
  NotCopied,
  PacketTree,
  Removal,
  SetupFailure,
  SubmoduleFilled,
  Tree,
  TreeName,
  TreeOrder,
  Trees,
} from './trees.ts';
export type {
  Capture,
  CapturedDiff,
  CaptureOptions,
  OpenPacked,
  ContentPiece,
  Remarked,
  RestoreOptions,
  RestoreReport,
  RunEnd,
  RunOptions,
  RunReport,
  StoreContent,
  Workspace,
} from './workspace.ts';
