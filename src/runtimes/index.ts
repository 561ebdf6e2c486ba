/**
 * The programs in which agents run: where they keep their sessions, how to read one, how to write a new one, and the command that goes
 * on with it. All of it by one port.
 */
import { runtimeNames } from '../core/resume/runtime-names.ts';
import type { Runtime } from '../ports/runtime.ts';
import { loadRuntimePart, type AgentEnv } from './load.ts';

const parts = await Promise.all(runtimeNames.map(loadRuntimePart));

/** All that are known, by what an environment says of where they keep their data. */
export function allRuntimes(env: AgentEnv): readonly Runtime[] {
  return parts.map(({ runtime }) => runtime(env));
}
