import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import type { OpenScratch } from '../ports/scratch.ts';
import { onBench, type Bench } from './bench.ts';
import { bellCases } from './bell.ts';
import { blobCases } from './blobs.ts';
import type { Case } from './case.ts';
import { catalogCases } from './catalog/catalog.ts';
import { clockCases } from './clock.ts';
import { entropyCases } from './entropy.ts';
import { catalogFeedCases } from './catalog/catalog-feed.ts';
import { catalogKeyCases } from './catalog/catalog-key.ts';
import { catalogWaitCases } from './catalog/catalog-waits.ts';
import { journalAdoptCases } from './journal/journal-adopt.ts';
import { journalCases } from './journal/journal.ts';
import { journalReadCases } from './journal/journal-read.ts';
import { journalHintCases } from './journal/journal-hint.ts';
import { journalLeaseCases } from './journal/journal-lease.ts';
import { mailboxCases } from './mailbox.ts';
import { manyBlobsCases } from './many-blobs.ts';
import { journalRemoveCases } from './journal/journal-remove.ts';
import { renewerCases } from './renewer.ts';
import { runnerCases } from './runner/runner-cases.ts';
import type { OpenRunnerScratch, RunnerScratch } from './runner/runner-scratch.ts';
import { runtimeReadCases } from './runtime/runtime-read.ts';
import type { OpenRuntimeScratch, RuntimeScratch } from './runtime/runtime-scratch.ts';
import { runtimeWriteCases } from './runtime/runtime-write.ts';
import { sharedCases } from './shared.ts';
import { storeCases } from './store.ts';
import { integrateCases } from './trees/integrate.ts';
import { treesMakeCases } from './trees/trees-make.ts';
import { treesRemoveCases } from './trees/trees-remove.ts';
import type { OpenTreesScratch, TreesScratch } from './trees/trees-scratch.ts';
import { workspaceLookCases } from './workspace/workspace-look.ts';
import { workspaceRestoreCases } from './workspace/workspace-restore.ts';
import { workspaceRunCases } from './workspace/workspace-run.ts';
import { workspaceWatchCases } from './workspace/workspace-watch.ts';
import type { OpenWorkspaceScratch, WorkspaceScratch } from './workspace/workspace-scratch.ts';

export interface CaseOutcome {
  readonly id: string;
  readonly title: string;
  readonly ok: boolean;
  readonly error?: string;
  /** Why it could not be tried. Not proven is not kept: `ok` is false. */
  readonly unproven?: string;
}

export type Report = readonly CaseOutcome[];

/** Every case that a store must pass, in the order of the ports. */
export const allStoreCases: readonly Case<Bench>[] = [
  ...storeCases,
  ...journalCases,
  ...journalReadCases,
  ...journalLeaseCases,
  ...journalHintCases,
  ...journalRemoveCases,
  ...journalAdoptCases,
  ...catalogCases,
  ...catalogFeedCases,
  ...catalogKeyCases,
  ...catalogWaitCases,
  ...blobCases,
  ...manyBlobsCases,
  ...mailboxCases,
  ...renewerCases,
  ...bellCases,
  ...sharedCases,
];

/** Every case that a workspace must pass. */
export const allWorkspaceCases: readonly Case<WorkspaceScratch>[] = [
  ...workspaceLookCases,
  ...workspaceRestoreCases,
  ...workspaceRunCases,
  ...workspaceWatchCases,
];

/** Every case that a runtime must pass. */
export const allRuntimeCases: readonly Case<RuntimeScratch>[] = [...runtimeReadCases, ...runtimeWriteCases];

/** Every case that trees and their integration must pass. */
export const allTreesCases: readonly Case<TreesScratch>[] = [
  ...treesMakeCases,
  ...treesRemoveCases,
  ...integrateCases,
];

/** No case needs more than a moment; one that hangs must not hang the caller. */
const caseMsMax = 30_000;

/** Tries a store against its contract, each case on a scratch of its own. */
export async function runConformance(
  openScratch: OpenScratch,
  cases: readonly Case<Bench>[] = allStoreCases,
): Promise<Report> {
  const report: CaseOutcome[] = [];
  for (const one of cases) report.push(await runStoreCase(one, openScratch));
  return report;
}

export async function runClockConformance(clock: Clock, cases = clockCases): Promise<Report> {
  return await runOn(clock, cases);
}

export async function runEntropyConformance(entropy: Entropy, cases = entropyCases): Promise<Report> {
  return await runOn(entropy, cases);
}

/** Tries a workspace against its contract, each case on a scratch of its own. */
export async function runWorkspaceConformance(
  openScratch: OpenWorkspaceScratch,
  cases: readonly Case<WorkspaceScratch>[] = allWorkspaceCases,
): Promise<Report> {
  return await runOnScratches(openScratch, cases);
}

/** Tries a runtime against its contract, each case on a scratch of its own. */
export async function runRuntimeConformance(
  openScratch: OpenRuntimeScratch,
  cases: readonly Case<RuntimeScratch>[] = allRuntimeCases,
): Promise<Report> {
  return await runOnScratches(openScratch, cases);
}

/** Tries trees and their integration against their contracts, each case on a scratch of its own. */
export async function runTreesConformance(
  openScratch: OpenTreesScratch,
  cases: readonly Case<TreesScratch>[] = allTreesCases,
): Promise<Report> {
  return await runOnScratches(openScratch, cases);
}

/** Tries a runner against its contract, each case on a scratch of its own. */
export async function runRunnerConformance(
  openScratch: OpenRunnerScratch,
  cases: readonly Case<RunnerScratch>[] = runnerCases,
): Promise<Report> {
  return await runOnScratches(openScratch, cases);
}

async function runOnScratches<Scratch extends { readonly dispose: () => void | Promise<void> }>(
  openScratch: () => Scratch | Promise<Scratch>,
  cases: readonly Case<Scratch>[],
): Promise<Report> {
  const report: CaseOutcome[] = [];
  for (const one of cases) {
    report.push(
      await outcomeOf(one, async () => {
        const scratch = await openScratch();
        try {
          await inTime(one.run(scratch));
        } finally {
          await scratch.dispose();
        }
      }),
    );
  }
  return report;
}

async function runOn<On>(subject: On, cases: readonly Case<On>[]): Promise<Report> {
  const report: CaseOutcome[] = [];
  for (const one of cases) report.push(await outcomeOf(one, async () => await inTime(one.run(subject))));
  return report;
}

async function runStoreCase(one: Case<Bench>, openScratch: OpenScratch): Promise<CaseOutcome> {
  let unable = false;
  const outcome = await outcomeOf(one, async () => {
    const scratch = await openScratch();
    try {
      unable = one.needs !== undefined && scratch[one.needs] === undefined;
      if (!unable) await onBench(scratch, async (bench) => await inTime(one.run(bench)));
    } finally {
      await scratch.dispose();
    }
  });
  if (!unable || !outcome.ok) return outcome;
  return { ...outcome, ok: false, unproven: `There is no way to ${one.needs} this store on purpose.` };
}

async function outcomeOf({ id, title }: Case<never>, run: () => Promise<void>): Promise<CaseOutcome> {
  try {
    await run();
    return { id, title, ok: true };
  } catch (error) {
    return { id, title, ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

async function inTime(running: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not finished within ${caseMsMax} ms`)), caseMsMax);
  try {
    await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
