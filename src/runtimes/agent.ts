/**
 * What is known of a coding agent before anything of it is loaded: data that imports nothing, so that every layer may ask for it. `registry.ts` has a line for each. All else about an agent lies in the same files of its folder (`load.ts`).
 */

/** What is done at an event of a session, whatever a program calls it. */
export type Moment =
  | 'session-start'
  | 'prompt'
  /** Before a call of a tool: for programs that hear what a prompt's hook says nowhere else. */
  | 'call'
  | 'tool'
  | 'compaction'
  | 'turn-end'
  | 'subagent-end'
  | 'session-end';

/** What an argument of a tool means. */
export type Meaning =
  | 'command'
  | 'description'
  | 'folder'
  | 'file'
  | 'offset'
  | 'limit'
  | 'content'
  | 'before'
  | 'after'
  | 'everywhere';

/** A tool that other programs have as well. */
export interface ToolForm {
  readonly does: 'shell' | 'read' | 'write' | 'edit';
  readonly tool: string;
  /** Names of its arguments: of several the first is what a call is written with. */
  readonly args: Readonly<Partial<Record<Meaning, string | readonly string[]>>>;
  /** Those that are a list: of what several calls would do, or one. */
  readonly listed?: readonly Meaning[];
  /** Arguments that say how to wait for a call, and not what it does. */
  readonly waits?: readonly string[];
}

export interface Agent {
  /** Of its folder, too. */
  readonly name: string;
  /** As its makers write it. */
  readonly title: string;
  /** What people call it, too: each of these is understood for it wherever a program is named. */
  readonly called: readonly string[];
  /** Variables that it sets for the commands it runs. */
  readonly marks: readonly string[];
  /** The variable that names the session to them. */
  readonly session: string;
  /** Its MCP servers are given that variable as well. */
  readonly tellsServers?: true;
  /** It writes what happened so long after it did, at most: a session that has just begun is not there yet when its first calls come. */
  readonly recordsAfterMs?: number;
  /** How the name begins that it gives itself where it calls tools. */
  readonly client: string;
  /** The window that it takes a model to have that it does not know, in tokens, where it goes by one. */
  readonly unknownWindow?: number;
  /** It uses what lies in a repository only in a folder that the user trusts, and asks. */
  readonly asksTrust?: true;
  /** Paths in a folder that it goes by, as globs: those that configure it, and those that tell it what to do. A restore holds them back. */
  readonly goesBy: { readonly settings: readonly string[]; readonly words: readonly string[] };
  /** Tools that other programs have as well: of those that do the same, the first is what calls of others are written as. */
  readonly tools: readonly ToolForm[];
  readonly hooks: {
    /** Its events that we listen to, in the order in which they come. */
    readonly events: Readonly<Record<string, Moment>>;
    /** How it is told something: in the field of its hooks' output for that, in a field beside it, in one of another name, or as it is, by a plugin of ours. */
    readonly answer: 'hook-output' | 'additional-context' | 'context-modification' | 'context';
    /** Where its events say what others say in `session_id`, `cwd`, `tool_name` and `tool_input`; `parent` is there for agents that a session started. */
    readonly fields?: Readonly<Record<'session' | 'folder' | 'tool' | 'input' | 'parent', readonly string[]>>;
    /** A variable that its hooks alone have. It runs those in the settings of other programs too: they have this one as well. */
    readonly runsOthers?: string;
    /** How its settings give the time that a hook may take. */
    readonly timeout?: 'seconds' | 'milliseconds';
    /** What it grants at most when a session ends. */
    readonly endSecondsMax?: number;
    /** A hook in its settings has a name. */
    readonly named?: true;
    /** Variables that name the session and the process to a hook whose event does not. */
    readonly session?: string;
    readonly pid?: string;
    /** Tools that only look. Any other may have changed a file. */
    readonly looks: readonly string[];
    /** Tools that do nothing but write files. */
    readonly writes: readonly string[];
  };
}
