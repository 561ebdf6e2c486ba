import type { Runtime, SessionPlace } from '../../ports/runtime.ts';

/** A program's data in a place of its own, with sessions that the program wrote, for one case. */
export interface RuntimeScratch {
  readonly runtime: Runtime;
  /** The folder to which all sessions but the last belong. */
  readonly folder: string;
  /** Oldest first: three at least, of which the last belongs to another folder. The first can be grown, torn and rewritten. */
  readonly sessions: readonly SessionPlace[];
  /** A folder that exists, for work, and one for files of the caller's. */
  readonly work: string;
  readonly into: string;
  /** What lies in the latter. */
  readonly left: () => readonly string[];
  /** A session as the program keeps it: its lines, or the contents of its rows; in the order in which they are captured. */
  readonly native: (session: SessionPlace) => readonly Uint8Array[];
  /** Whether a record is one native line and nothing else. */
  readonly byLine: boolean;
  /** The first session goes on, as if the program had worked on. */
  readonly grow: () => void;
  /** A record at the end of the first session is begun; gives what finishes it. Null where records come whole. */
  readonly tear: (() => () => void) | null;
  /** What the first session held at its beginning, or had said last, is not there any more. */
  readonly rewrite: () => void;
  /** Puts something that cannot be understood where a session would be. Its id. */
  readonly garble: () => string;
  /** A session of about so many bytes, in records of no more than 64 KiB. */
  readonly long: (bytes: number) => SessionPlace;
  /** Bytes and times of everything that is the program's: equal only if nobody touched it. */
  readonly imprint: () => unknown;
  /** Bytes that are held after everything that can be given back was. */
  readonly memory: () => number;
  /** What the program answers when it is asked for its version: a version, or `fails`; `gone` takes the program away. */
  readonly answers: (how: string) => void;
  readonly dispose: () => void;
}

export type OpenRuntimeScratch = () => Promise<RuntimeScratch> | RuntimeScratch;
