/**
 * What is remembered of a session between two seals: `hooks/kept-<runtime>-<id>.json`. Only processes that seal write it, one at a time for
 * a session; hooks only read it, so that neither overwrites what the other knows.
 */
import type { Home } from './home.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../process/private-file.ts';
import { keptName } from './session-record.ts';
import type { Digest } from '../core/journal/digest.ts';
import type { TaskId } from '../core/journal/id.ts';

export interface KeptOfSession {
  /** The workspace when the session started, or when it was sealed last; null where nobody looked. */
  readonly base: Digest | null;
  /** The packet whose words were drafted from the session, as long as nobody has said better. */
  readonly drafted: Digest | null;
  /** The task that was put on offer when the session ended. */
  readonly left: TaskId | null;
}

const nothing: KeptOfSession = { base: null, drafted: null, left: null };

export function readKept(home: Home, runtime: string, session: string): KeptOfSession {
  try {
    const text = readFileSync(join(home.hooks, keptName(runtime, session)), 'utf8');
    return { ...nothing, ...(JSON.parse(text) as Partial<KeptOfSession>) };
  } catch {
    return nothing;
  }
}

export function keep(
  home: Home,
  { runtime, session }: { readonly runtime: string; readonly session: string },
  news: Partial<KeptOfSession>,
): void {
  const next: KeptOfSession = { ...readKept(home, runtime, session), ...news };
  writePrivate(join(home.hooks, keptName(runtime, session)), JSON.stringify(next));
}
