/** Claude Code as a runtime: the port, and what only those need who write or go on with a session. */
import type { Transcript } from '../../core/transcript/step.ts';
import type { Runtime } from '../../ports/runtime.ts';
import { capture } from './capture.ts';
import { homeOf, locate, type Env } from './locate.ts';
import { read } from './read.ts';
import { launch, type Launch, type LaunchOptions, type Prompt, type Start } from './resume.ts';
import { sessions } from './sessions.ts';
import { write, type WriteOptions, type Written } from './write.ts';

export interface ClaudeCodeRuntime extends Runtime {
  write(transcript: Transcript, options: Omit<WriteOptions, 'home'>): Promise<Written>;
  launch(start: Start, prompt: Prompt, options: Omit<LaunchOptions, 'env'>): Launch;
}

export function claudeCodeRuntime(env: Env): ClaudeCodeRuntime {
  const home = homeOf(env);
  return {
    name: 'claude-code',
    locate: async () => await locate(env),
    sessions: (query) => sessions(home, query),
    capture,
    read,
    write: async (transcript, options) => await write(transcript, { ...options, home }),
    launch: (start, prompt, options) => launch(start, prompt, { ...options, env }),
  };
}
