export type { Damage, LossyStore, OpenScratch, Scratch } from '../ports/scratch.ts';
export type { Bench } from './bench.ts';
export type { Case } from './case.ts';
export { clockCases } from './clock.ts';
export { entropyCases } from './entropy.ts';
export {
  allRuntimeCases,
  allStoreCases,
  allTreesCases,
  allWorkspaceCases,
  runClockConformance,
  runConformance,
  runEntropyConformance,
  runRunnerConformance,
  runRuntimeConformance,
  runTreesConformance,
  runWorkspaceConformance,
} from './run.ts';
export type { CaseOutcome, Report } from './run.ts';
export { runnerCases } from './runner/runner-cases.ts';
export type { AgentManner, AgentNote, OpenRunnerScratch, RunnerScratch } from './runner/runner-scratch.ts';
export type { OpenRuntimeScratch, RuntimeScratch } from './runtime/runtime-scratch.ts';
export type { OpenTreesScratch, TreesScratch } from './trees/trees-scratch.ts';
export type { OpenWorkspaceScratch, Side, WorkspaceScratch } from './workspace/workspace-scratch.ts';
