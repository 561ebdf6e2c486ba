/**
 * The programs in which agents run: where they keep their sessions, how to read one, how to write a new one, and the command that goes
 * on with it. What they share is the port; what only one of them has stands under its name.
 */
import type { Runtime } from '../ports/runtime.ts';
import { claudeCodeRuntime } from './claude-code/index.ts';
import { codexRuntime } from './codex/index.ts';
import { geminiCliRuntime } from './gemini-cli/index.ts';
import { opencodeRuntime } from './opencode/index.ts';

export { claudeCodeRuntime } from './claude-code/index.ts';
export { codexRuntime } from './codex/index.ts';
export * as codexCommands from './codex/resume.ts';
export { geminiCliRuntime } from './gemini-cli/index.ts';
export * as geminiCliCommands from './gemini-cli/resume.ts';
export { nativeSession as geminiCliSession } from './gemini-cli/write.ts';
export { writeSession as writeGeminiCliSession } from './gemini-cli/write-file.ts';
export { opencodeRuntime } from './opencode/index.ts';
export * as opencodeCommands from './opencode/resume.ts';
export { writeSession as writeOpencodeSession } from './opencode/write.ts';

/** All that are known, by what an environment says of where they keep their data. */
export function allRuntimes(env: NodeJS.ProcessEnv): readonly Runtime[] {
  return [claudeCodeRuntime(env), codexRuntime(env), geminiCliRuntime(env), opencodeRuntime(env)];
}
