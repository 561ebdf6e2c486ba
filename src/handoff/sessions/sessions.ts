import { defined } from '../../core/base/defined.ts';
import type { Runtime, RuntimeName, SessionCard } from '../../ports/runtime.ts';
import { isStaffettaError } from '../../core/base/error.ts';

export interface SessionsQuery {
  /** Only sessions of this folder. */
  readonly folder?: string;
  readonly runtime?: RuntimeName;
  /** At most this many, the newest of all runtimes. */
  readonly limit: number;
}

export interface FoundSessions {
  readonly sessions: readonly SessionCard[];
  /** Runtimes whose data was found here, whether or not there is a session. */
  readonly installed: readonly RuntimeName[];
  /** What could not be looked at, and why. */
  readonly troubles: readonly { readonly runtime: RuntimeName; readonly text: string }[];
}

/** The sessions of every program that keeps data here, newest first. One that cannot be read does not hide the others. */
export async function findSessions(
  runtimes: readonly Runtime[],
  query: SessionsQuery,
): Promise<FoundSessions> {
  const asked = runtimes.filter(({ name }) => query.runtime === undefined || name === query.runtime);
  const looks = await Promise.all(asked.map(async (runtime) => await look(runtime, query)));
  return {
    sessions: looks
      .flatMap(({ sessions }) => sessions)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
      .slice(0, query.limit),
    installed: looks.filter(({ installed }) => installed).map(({ runtime }) => runtime),
    troubles: looks.flatMap(({ runtime, trouble }) =>
      trouble === undefined ? [] : [{ runtime, text: trouble }],
    ),
  };
}

interface Look {
  readonly runtime: RuntimeName;
  readonly installed: boolean;
  readonly sessions: readonly SessionCard[];
  readonly trouble?: string;
}

async function look(runtime: Runtime, { folder, limit }: SessionsQuery): Promise<Look> {
  const { name } = runtime;
  const sessions: SessionCard[] = [];
  let unreadable: string | undefined;
  try {
    const there = await runtime.locate();
    if (there === null) return { runtime: name, installed: false, sessions };
    ({ unreadable } = there);
    const query = { limit, ...defined({ folder }) };
    for await (const card of runtime.sessions(query)) {
      sessions.push(card);
      if (sessions.length >= limit) break;
    }
    const trouble = unreadable === undefined ? {} : { trouble: unreadable };
    return { runtime: name, installed: true, sessions, ...trouble };
  } catch (error) {
    if (!isStaffettaError(error) && !(error instanceof Error && 'code' in error)) throw error;
    return { runtime: name, installed: true, sessions, trouble: unreadable ?? error.message };
  }
}
