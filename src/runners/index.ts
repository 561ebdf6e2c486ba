/** Ways to put an agent to work, for programs that run a crew of their own. */
export { acpRunner } from './acp.ts';
export type { AcpAgent, AcpOptions } from './acp.ts';
export { functionRunner } from './function.ts';
export type { AgentFunction, FunctionTurn } from './function.ts';
export { headlessRunner } from './headless.ts';
export type { HeadlessRuntime } from './headless.ts';
export { linesRunner } from './lines.ts';
export type { LinesOptions } from './lines.ts';
