/** The options of each verb and their kinds, for callers that no compiler checked. The types hold the lists complete. */
import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import type { CardQuery } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { OfferTerms } from '../core/task/command.ts';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { checkKind, checkShape, type Shape } from '../core/base/shape.ts';
import { statuses } from '../core/task/state.ts';
import type { WorkerOptions } from '../crew/worker.ts';
import type { IntegrateInput, Verdict } from '../handoff/verbs/finish.ts';
import type { ForkInput } from '../handoff/verbs/fork.ts';
import type { OpenOptions } from '../handoff/verbs/open.ts';
import {
  askedReasons,
  type AskedReason,
  type SteerInput,
  type UsageInput,
} from '../handoff/verbs/outside.ts';
import type { RecoverOptions } from '../handoff/verbs/recover.ts';
import type { SweepOptions } from '../handoff/verbs/sweep.ts';
import type { NextOptions, TakeOptions } from '../handoff/verbs/take.ts';
import type { AmendInput } from '../handoff/verbs/amend.ts';
import type { As, StaffettaOptions } from './staffetta.ts';
import type { CrewOptions } from './crew.ts';

export const asShape: Shape<As> = { as: 'any', key: 'text', dryRun: 'flag' };

export const openShape: Shape<OpenOptions & As> = {
  ...asShape,
  to: 'text',
  lane: 'text',
  take: 'flag',
  draft: 'flag',
  leaseMs: 'number',
  expiresMs: 'number',
};

const { take: _take, draft: _draft, dryRun: _dryRun, ...begun } = openShape;
export const beginShape = begun;

export const forkShape: Shape<ForkInput & As> = {
  ...openShape,
  at: 'text!',
  why: 'text!',
  goal: 'text',
  change: 'function',
  asked: 'any',
};

export const importShape = { dryRun: 'flag' } as const;

export const offerShape: Shape<OfferTerms> = {
  to: 'text!',
  lane: 'text!',
  why: 'text',
  trigger: 'text',
  notBefore: 'number',
  expiresMs: 'number',
};

export const withdrawShape = { why: 'text', leaseMs: 'number' } as const;

export const takeShape: Shape<
  TakeOptions & Pick<NextOptions, 'onDamaged'> & As & { readonly task?: string }
> = {
  ...asShape,
  onDamaged: 'function',
  task: 'text',
  leaseMs: 'number',
  offer: 'number',
};

export const legShape: Shape<As & { readonly generation?: number }> = { ...asShape, generation: 'number' };

export type Escalation = As & { readonly generation?: number; readonly reason?: AskedReason };

/** A rule's reason is the rule's to give. */
export function checkEscalation(given: Escalation): void {
  checkShape<Escalation>('escalate', given, { ...legShape, reason: 'text' });
  const { reason } = given;
  if (reason === undefined || askedReasons.includes(reason)) return;
  throw new StaffettaError(
    'invalid-input',
    `escalate: nobody asks for the reason ${JSON.stringify(reason)}.`,
    {
      hint: `There are: ${askedReasons.join(', ')}`,
    },
  );
}

export const integrationShape: Shape<IntegrateInput> = {
  packet: 'any',
  onto: 'text!',
  commit: 'text!',
  tree: 'text!',
};

export const usageShape: Shape<UsageInput> = {
  leg: 'number!',
  source: 'text!',
  tokens: 'number!',
  cost: 'object',
};

export const steerShape: Shape<SteerInput> = {
  paused: 'flag',
  parallel: 'number',
  caps: 'object',
  why: 'text!',
};

export const crewShape: Shape<CrewOptions> = {
  parallel: 'number',
  perRuntime: 'object',
  perLane: 'object',
  legMs: 'number',
  stallMs: 'number',
  legs: 'number',
  tokens: 'number',
  cost: 'object',
  strategy: 'text',
  routes: 'list',
  router: 'function',
  folder: 'text',
};

export const briefingShape = { budget: 'number', for: 'text', goal: 'text' } as const;

export function checkBudget(budget: number): void {
  const { briefingTokensMin: least, briefingTokensMax: most } = limits;
  if (Number.isSafeInteger(budget) && budget >= least && budget <= most) return;
  throw new StaffettaError(
    'invalid-input',
    `briefing: budget takes ${least} to ${most} tokens, not ${budget}.`,
  );
}

export function checkPosition(after: number): void {
  if (Number.isSafeInteger(after) && after >= 0) return;
  throw new StaffettaError('invalid-input', `events: after: ${after} is no position.`, {
    hint: 'Give the position of the last event that you have, or 0 for all.',
  });
}

export const keptShape = { after: 'number' } as const;

export const phaseShape = { phase: 'text!', why: 'text' } as const;

export const answerShape = { decision: 'number!', answer: 'text!' } as const;

type AnyVerdict = {
  readonly [K in Verdict extends infer V ? (V extends V ? keyof V : never) : never]?: unknown;
};

export const verdictShape: Shape<AnyVerdict> = {
  approve: 'flag!',
  packet: 'any',
  contract: 'any',
  why: 'text',
  findings: 'list',
  to: 'text',
  generation: 'number',
};

export const redriveShape = { to: 'text', why: 'text' } as const;

export const amendShape: Shape<AmendInput> = {
  change: 'object!',
  why: 'text!',
  generation: 'number',
  confirm: 'flag',
};

export const recoverShape: Shape<RecoverOptions> = { dryRun: 'flag', endDoubted: 'flag' };

export const sweepShape: Shape<SweepOptions> = { olderThanMs: 'number!', graceMs: 'number', dryRun: 'flag' };

export const listShape: Shape<CardQuery> = {
  onDamaged: 'function',
  statuses: 'list',
  lane: 'text',
  holder: 'text',
  leaseBefore: 'number',
  offerBefore: 'number',
  dead: 'flag',
  for: 'list',
  waitsForNone: 'flag',
  oldestFirst: 'flag',
  limit: 'number',
  cursor: 'text',
};

/** What the shape cannot say of a query: which numbers and words there are. */
export function checkQuery({ limit, statuses: asked = [] }: Partial<CardQuery>): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= limits.pageMax))
    throw new StaffettaError('invalid-input', `list: limit: ${limit} is no number of tasks for a page.`, {
      hint: `Give a whole number from 1 to ${limits.pageMax}; next leads to the page after.`,
    });
  const strange: unknown = asked.find((status) => !statuses.includes(status));
  if (strange === undefined) return;
  throw new StaffettaError(
    'invalid-input',
    `list: statuses: there is no status ${JSON.stringify(strange)}.`,
    {
      hint: `There are: ${statuses.join(', ')}`,
    },
  );
}

/** The name of a file ends where the system takes it to end. */
export function checkFileName(what: string, file: string): void {
  checkKind(what, file, 'text');
  if (file !== '' && !file.includes('\0')) return;
  throw new StaffettaError('invalid-input', `${what}: ${JSON.stringify(file)} is no name of a file.`, {
    hint: 'Give a path without a zero byte.',
  });
}

export const workerShape: Shape<WorkerOptions> = {
  leaseMs: 'number',
  pollMs: 'number',
  recoverMs: 'number',
  onError: 'function',
  onDamaged: 'function',
};

const storeParts: Shape<Omit<Store, 'renewer' | 'bell' | 'grants'>> = {
  address: 'object!',
  journal: 'object!',
  catalog: 'object!',
  blobs: 'object!',
  mailbox: 'object!',
  upkeep: 'object!',
  leaseMs: 'number',
  pollMs: 'number',
  isTended: 'flag',
  clockAheadMs: 'number',
  close: 'function!',
};
const clockParts: Shape<Clock> = { now: 'function!', sleep: 'function!' };
const entropyParts: Shape<Entropy> = { bytes: 'function!', fraction: 'function!' };

const workspaceParts: Shape<Workspace> = {
  root: 'text!',
  exists: 'function!',
  runnable: 'function!',
  start: 'function!',
  probe: 'function!',
  content: 'function!',
  ignored: 'function!',
  unwatched: 'function!',
  at: 'function!',
  hasCommit: 'function!',
  capture: 'function!',
  restore: 'function!',
  run: 'function!',
};

export function checkOpening(options: StaffettaOptions): void {
  checkShape('openStaffetta', options, {
    store: 'any',
    as: 'any',
    workspace: 'any',
    gate: 'text',
    clock: 'any',
    entropy: 'any',
    reached: 'function',
  });
  const { store, clock, entropy } = options;
  if (store !== undefined && typeof store !== 'string') checkParts('store', store, storeParts);
  if (options.gate !== undefined && options.gate !== 'refuse' && options.gate !== 'record')
    throw new StaffettaError('invalid-input', 'openStaffetta: gate is "refuse" or "record".');
  if (options.workspace !== undefined && typeof options.workspace !== 'string')
    checkParts('workspace', options.workspace, workspaceParts);
  if (clock !== undefined) checkParts('clock', clock, clockParts);
  if (entropy !== undefined) checkParts('entropy', entropy, entropyParts);
  if (store === '')
    throw new StaffettaError('invalid-input', 'openStaffetta: store: expected some text.', {
      hint: 'Name a file, or leave it out for the store of this folder.',
    });
}

/** Theirs may be classes of their own, with more in them than we ask for. */
function checkParts<T extends object>(name: string, given: T, parts: Shape<T>): void {
  checkKind(`openStaffetta: ${name}`, given, 'object');
  const asked = Object.fromEntries(Object.keys(parts).map((part) => [part, Reflect.get(given, part)]));
  checkShape(`openStaffetta: ${name}`, asked as T, parts);
}
