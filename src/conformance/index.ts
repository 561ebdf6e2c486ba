export type { Bench, Damage, OpenScratch, Scratch } from './bench.ts';
export type { Case } from './case.ts';
export { clockCases } from './clock.ts';
export { entropyCases } from './entropy.ts';
export {
  allStoreCases,
  allWorkspaceCases,
  runClockConformance,
  runConformance,
  runEntropyConformance,
  runWorkspaceConformance,
} from './run.ts';
export type { Outcome, Report } from './run.ts';
export type { OpenWorkspaceScratch, Side, WorkspaceScratch } from './workspace-scratch.ts';
