import type { Runtime } from '../ports/runtime.ts';

/** The programs agents run in, loaded when they are first asked for. */
export async function loadRuntimes(env: NodeJS.ProcessEnv): Promise<readonly Runtime[]> {
  return (await import('../runtimes/index.ts')).allRuntimes(env);
}
