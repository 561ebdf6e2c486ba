import type { Runtime, RuntimeName } from '../ports/runtime.ts';

/** The programs agents run in, loaded when they are first asked for. */
export async function loadRuntimes(env: NodeJS.ProcessEnv): Promise<readonly Runtime[]> {
  return (await import('../runtimes/index.ts')).allRuntimes(env);
}

/** Only what reads the records of one program. */
export async function loadReader(runtime: RuntimeName): Promise<Runtime['read']> {
  switch (runtime) {
    case 'claude-code':
      return (await import('../runtimes/claude-code/read/read.ts')).read;
    case 'codex':
      return (await import('../runtimes/codex/read/read.ts')).read;
    case 'gemini-cli':
      return (await import('../runtimes/gemini-cli/read/read.ts')).readGemini;
    case 'opencode':
      return (await import('../runtimes/opencode/read.ts')).readRecords;
  }
}
