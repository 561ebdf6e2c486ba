export type { Bench, Damage, OpenScratch, Scratch } from './bench.ts';
export type { Case } from './case.ts';
export { clockCases } from './clock.ts';
export { entropyCases } from './entropy.ts';
export { allStoreCases, runClockConformance, runConformance, runEntropyConformance } from './run.ts';
export type { Outcome, Report } from './run.ts';
