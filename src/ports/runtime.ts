import type { PermissionName, Permissions } from '../core/plan/crew.ts';
import type { Provisions } from '../core/resume/provisions.ts';
import type { RuntimeName } from '../core/resume/runtime-names.ts';
import type { Omission, Step, Transcript } from '../core/transcript/step.ts';
import type { Told } from '../core/transcript/told.ts';
import type { Toolbox } from '../core/transcript/tools.ts';

export { runtimeNames, type RuntimeName } from '../core/resume/runtime-names.ts';

/**
 * A program in which agents run. Every adapter has the same files: locate, schema, sessions, capture, read, write, resume, launch.
 * RT1 Reading changes nothing: no byte or time stamp of the program's files, and no lock that it would notice.
 * RT2 `sessions` names every session of a folder, and of a repository those of the folders in it, newest first, reading no more than it must; one that cannot be understood is named with a reason and not left out.
 * RT3 `capture` gives the native records worth keeping in their order, byte for byte as the program wrote them, from a cursor on; a torn last line is counted and waits for the next time. What is left out by rule (request logs, system prompts) is counted.
 * RT4 Capturing a session in pieces gives the same records as capturing it at once. A session that did not only grow since the cursor is captured from its beginning, and says so.
 * RT5 `read` is pure: the same records give the same transcript, here and on any other machine. It never throws for what a file holds: an unknown record is kept and counted.
 * RT6 Steps keep their numbers when a session grows.
 * RT7 Every call stands before its result, in the same step; a result without its call is an omission.
 * RT8 Memory is bounded by the largest record, not by the session, for `capture`.
 * RT9 `write` makes a new session and touches no other; what it wrote is read back and compared, and taken away again where it differs.
 * RT10 What a target cannot hold is in `omissions`; no unsigned reasoning is written.
 * RT11 `launch` starts nothing: it gives the exact command. The words of a prompt go by standard input, or lie in a file that an argument names; they are neither among the arguments nor in the environment.
 * RT12 A session that a process holds is not gone on with: `launch` refuses it as `held` and names the process, unless a copy is asked for.
 * RT13 `version` asks the program itself, for a bounded time and without the network; where the program is missing, fails or hangs it is null.
 * RT14 `tell` says of a session what the steps that `read` makes of all its records say. An adapter leaves it out where it is no faster.
 * RT15 `write` that is only rehearsed says where the session would be and what would not be in it, refuses what it would refuse before it writes, and changes nothing.
 * RT16 `provisions` reads settings and changes nothing. It gives names, and no value that could be a secret; it never throws for what a file holds, and names those that it could not understand.
 * RT17 `addWords` puts words of a person behind the last of a session that nobody holds, and leaves what was there as it was.
 */
export interface Runtime {
  readonly name: RuntimeName;
  /** The program and its data on this machine; null where there is none. */
  locate(): Promise<Installation | null>;
  /** Sessions of a folder, or all. */
  sessions(query?: SessionQuery): AsyncIterable<SessionCard>;
  capture(session: SessionPlace, from?: Cursor): Promise<Captured>;
  read(records: Iterable<Uint8Array>): Transcript;
  tell?(session: SessionPlace): Promise<Told>;
  /** The sessions of agents that a session started, and of those that these started, the earliest first: they are captured with it. */
  startedBy?(session: SessionPlace): Promise<readonly StartedSession[]>;
  /** A new session with this history, for work in a folder. */
  write(transcript: Transcript, options: WriteOptions): Promise<WrittenSession>;
  launch(start: Start, prompt: Prompt, options: LaunchOptions): Launch;
  /** Only where the program takes no words with a session that it goes on with in a terminal. */
  addWords?(session: SessionPlace, text: string): Promise<void>;
  /** How a question is put to a copy of a session (`fork`), so that nothing comes of it but an answer. */
  readonly asking: Asking;
  /** How it is put to work with nobody before it, and what it is held to then. */
  readonly working: Working;
  version(): Promise<string | null>;
  /** Versions with which all of this was proven, against the program itself. */
  readonly provenVersions: readonly string[];
  readonly tools: Toolbox;
  /** What the settings of the program give its model in a folder. */
  provisions(folder: string): Promise<Provisions>;
  /** What the program, as it is set up here, may do or leave undone when it is started so: a sentence each, for the user who starts it. */
  hazards(how: Prompt['kind']): Promise<readonly string[]>;
}

export interface Installation {
  /** The folder that holds the program's data. */
  readonly home: string;
  /** The program, if it can be started; its version is asked only when it is needed. */
  readonly program: string | null;
  /** The folders of its sessions that are there and cannot be read, in a sentence: what is in them is not known to be nothing. */
  readonly unreadable?: string;
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

export interface StartedSession extends SessionPlace {
  /** Null where it is not a file of its own. */
  readonly bytes: number | null;
}

export interface SessionCard extends SessionPlace {
  readonly folder: string | null;
  readonly startedAt: number | null;
  readonly updatedAt: number;
  readonly bytes: number | null;
  /** What the user said last, shortened; null where that would need reading the whole. */
  readonly lastPrompt: string | null;
  readonly title: string | null;
  /** Of the program that wrote it last, as far as it says so. */
  readonly version: string | null;
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
  /** Each a line or row as the program wrote it, without its line end. The caller may keep it. */
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

export interface WriteOptions {
  /** Where the work goes on. */
  readonly folder: string;
  /** A folder of the caller's, for a file that the program takes the history from where it keeps none of its own. */
  readonly into: string;
  readonly now: number;
  /** So many bytes at random: new ids are made of them. */
  readonly random: (count: number) => Uint8Array;
  /** As the program names it; only some must be told. */
  readonly model?: string;
  /** Say what would be written, and write nothing. */
  readonly rehearse?: boolean;
}

export interface WrittenSession {
  readonly place: SessionPlace;
  /** What of the transcript is not in it. */
  readonly omissions: readonly Omission[];
}

/** Whatever is known of who holds it besides its place. */
export type SessionToContinue = SessionPlace & Partial<Pick<SessionCard, 'liveness' | 'pid' | 'parent'>>;

export type Start =
  /** A session of its own. The id is used where the program lets one choose. */
  | { readonly kind: 'new'; readonly id: string }
  /** `fork` leaves the session as it is and goes on in a copy; not every program can. */
  | { readonly kind: 'continue'; readonly session: SessionToContinue; readonly fork?: boolean };

export type Prompt =
  /** Without a person: the program works until it has answered, and ends. Events are lines of JSON. */
  | { readonly kind: 'headless'; readonly text: string; readonly output?: 'text' | 'events' }
  /** A person sits there. The file holds what to read first; null: they type. */
  | { readonly kind: 'terminal'; readonly file: string | null };

export interface LaunchOptions {
  readonly folder: string;
  /** By its name on the PATH where it is not given. */
  readonly program?: string | null;
  readonly model?: string;
  /** Further arguments for the program, as they are. */
  readonly extra?: readonly string[];
}

export interface Asking {
  /** Options under which no tool of the program changes anything, and under which it keeps the copy nowhere, if it has such. */
  readonly args: readonly string[];
  /** Variables to the same end. */
  readonly env?: Readonly<Record<string, string>>;
  /** It has none: the copy stays among its sessions. */
  readonly keepsCopy: boolean;
}

/** What a leg may do: look only, or change; in a way of working that the program has a name for. */
export interface Manner {
  readonly access: 'look' | 'change';
  readonly mode?: string | undefined;
  /** What nobody has said is allowed. */
  readonly permissions: Permissions;
}

export interface Working {
  /** Options for a prompt without a screen, of which nobody is asked anything; null where the program has no such way of working. */
  readonly headless: (manner: Manner) => ProgramWay | null;
  /** What an event of the program's output says, as far as it is known. */
  readonly hear: (event: unknown) => readonly HeardEvent[];
  /** How it speaks the Agent Client Protocol. */
  readonly acp: AcpWay;
}

export interface ProgramWay {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  /** What it is held to then. A command that it may run may do whatever commands can. */
  readonly holds: readonly PermissionName[];
}

export interface AcpWay {
  /** What it wants before it opens a session, for a user of whom it does not have it. */
  readonly wants?: string;
  /** By its name on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** `installed` is the agent's own program. */
  readonly env?: (
    manner: Manner,
    folder: string,
    installed: string | null,
  ) => Readonly<Record<string, string | null>>;
  /** Modes in which it changes nothing: the first that it offers is taken. */
  readonly looks: readonly string[];
  /** What it asks for, or is held to. */
  readonly holds: (manner: Pick<Manner, 'access' | 'mode'>) => readonly PermissionName[];
}

export type HeardEvent =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'said' | 'thought' | 'tool'; readonly text: string }
  /** Since the event before that told of it; or in the whole session, by any agent that worked in it. */
  | {
      readonly kind: 'usage';
      readonly tokens?: number;
      readonly cost?: { readonly amount: number; readonly unit: string };
      readonly isWhole?: true;
    }
  /** It says that it could not go on. */
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'limit'; readonly limit: 'usage' | 'context'; readonly until: number | null };

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** To be set over the environment of the caller; null takes a variable out. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd: string;
  /** Exactly these words, and then the end; null leaves the terminal to the program. */
  readonly stdin: string | null;
  /** The session it will work in; null where the program chooses the id of a new one. */
  readonly session: string | null;
}

export type { Provisions, Step, Toolbox, Transcript };
