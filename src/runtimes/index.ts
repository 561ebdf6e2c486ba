/**
 * The programs in which agents run: where they keep their sessions, how to read one, how to write a new one, and the command that goes
 * on with it. All of it by one port.
 */
import type { Runtime } from '../ports/runtime.ts';
import { claudeCodeRuntime } from './claude-code/index.ts';
import { codexRuntime } from './codex/index.ts';
import { geminiCliRuntime } from './gemini-cli/index.ts';
import { opencodeRuntime } from './opencode/index.ts';

export { claudeCodeRuntime } from './claude-code/index.ts';
export { codexRuntime } from './codex/index.ts';
export { geminiCliRuntime } from './gemini-cli/index.ts';
export { opencodeRuntime } from './opencode/index.ts';

/** All that are known, by what an environment says of where they keep their data. */
export function allRuntimes(env: Readonly<Record<string, string | undefined>>): readonly Runtime[] {
  return [claudeCodeRuntime(env), codexRuntime(env), geminiCliRuntime(env), opencodeRuntime(env)];
}
