import type { SessionFacts } from './step.ts';

/** Facts of a session of which nothing is known yet. */
export function bareFacts(runtime: string, session = ''): SessionFacts {
  return {
    runtime,
    session,
    version: null,
    model: null,
    folder: null,
    branch: null,
    commit: null,
    startedAt: null,
    title: null,
    parent: null,
  };
}
