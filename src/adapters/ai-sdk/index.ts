import { checkProven } from '../proven.ts';

export { durableLoop } from './loop.ts';
export type { LoopEnd, LoopOptions } from './loop.ts';
export { legTools } from './leg-tools.ts';
export type { LegToolsOptions } from './leg-tools.ts';

checkProven('ai', { major: 7, from: 0 });
