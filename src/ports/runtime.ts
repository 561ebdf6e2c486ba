import type { Omission, Step, Transcript } from '../core/transcript/step.ts';

/**
 * A program in which agents run. Every adapter has the same files: locate, schema, capture, read, write, resume.
 * RT1 Reading changes nothing: no byte or time stamp of the program's files, and no lock that it would notice.
 * RT2 `sessions` names every session of a folder, newest first, reading no more than it must; one that cannot be understood is named with a reason and not left out.
 * RT3 `capture` gives the native records worth keeping in their order, byte for byte as the program wrote them, from a cursor on; a torn last line waits for the next time. What is left out by rule (request logs, system prompts) is counted.
 * RT4 Capturing a session in pieces gives the same records as capturing it at once. A session that did not only grow since the cursor is captured from its beginning, and says so.
 * RT5 `read` is pure: the same records give the same transcript, here and on any other machine. It never throws for what a file holds: an unknown record is kept and counted.
 * RT6 Steps keep their numbers when a session grows.
 * RT7 Every call stands before its result, in the same step; a result without its call is an omission.
 * RT8 Memory is bounded by the largest record, not by the session, for `capture`.
 * RT9 `write` makes a new session and touches no other; what it wrote is read back and compared, and taken away again where it differs.
 * RT10 What a target cannot hold is in `omissions`; no unsigned reasoning is written.
 */
export interface Runtime {
  readonly name: RuntimeName;
  /** The program and its data on this machine; null where there is none. */
  locate(): Promise<Installation | null>;
  /** Sessions of a folder, or all. */
  sessions(query?: SessionQuery): AsyncIterable<SessionCard>;
  capture(session: SessionPlace, from?: Cursor): Promise<Captured>;
  read(records: Iterable<Uint8Array>): Transcript;
}

export const runtimeNames = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

export interface Installation {
  /** The folder that holds the program's data. */
  readonly home: string;
  /** The program, if it can be started; its version is asked only when it is needed. */
  readonly program: string | null;
}

export interface SessionQuery {
  readonly folder?: string;
  readonly limit?: number;
}

/** Where a session is kept: a file, or a database and an id. */
export interface SessionPlace {
  readonly runtime: RuntimeName;
  readonly id: string;
  readonly path: string;
}

export interface SessionCard extends SessionPlace {
  readonly folder: string | null;
  readonly startedAt: number | null;
  readonly updatedAt: number;
  readonly bytes: number | null;
  /** What the user said last, shortened; null where that would need reading the whole. */
  readonly lastPrompt: string | null;
  readonly title: string | null;
  /** Alive: a process holds it. Dead: its process is gone without an end. Unknown: nothing says. */
  readonly liveness: 'alive' | 'dead' | 'ended' | 'unknown';
  readonly pid: number | null;
  /** The session that started this one. */
  readonly parent: string | null;
  /** Why no more than a pointer can be given; null where it can be read. */
  readonly pointerOnly: string | null;
}

/** How far a session was captured. Opaque but to its adapter; stored in packets. */
export type Cursor = string;

export interface Captured {
  /** Each a line or row as the program wrote it, without its line end. */
  readonly records: AsyncIterable<Uint8Array>;
  /** Known once the records were read to their end. */
  end(): CapturedEnd;
}

export interface CapturedEnd {
  readonly cursor: Cursor;
  /** The session was not only appended to since the cursor given: these are all of its records. */
  readonly fromStart: boolean;
  readonly omissions: readonly Omission[];
}

export type { Step, Transcript };
