import { checkProven } from '../proven.ts';

export { durableHandoff, durably } from './durable.ts';
export { StaffettaSession } from './session.ts';
export type { SessionOptions, UnfinishedRun } from './session.ts';

// Each minor version may break before 1.0.
checkProven('@openai/agents', { major: 0, from: 20, below: 21 });
