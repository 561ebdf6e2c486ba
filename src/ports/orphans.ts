import type { TaskId } from '../core/journal/id.ts';

/** A variable of the environment. Unlike any other of ours it is meant for what we start: a process that has it belongs to that run. */
export const markName = 'STAFFETTA_RUN';

/** A program that one of our commands started, and that goes on though the command is gone: killed, before it could end it. */
export interface Orphan {
  /** Which run: every process of it carries this in its environment. */
  readonly mark: string;
  /** What was started, in a word or a line. */
  readonly what: string;
  readonly pids: readonly number[];
  readonly folder: string;
  /** The leg that it was started for; null for a command of a contract, whose result nobody waits for any more. */
  readonly leg: { readonly task: TaskId; readonly generation: number } | null;
}

/** What earlier commands of this store left running. A command that runs within such a program is not told of it. */
export interface Orphans {
  find(): readonly Orphan[];
  /** Whether it works where this context does. */
  isHere(orphan: Orphan): boolean;
  /** Asks it to end, and ends it if it does not. Resolves when it is gone, or cannot be ended. */
  end(orphan: Orphan): Promise<void>;
}

/** A program that is on record from before it starts until nothing of it is left. */
export interface NotedRun {
  /** Told once it runs. */
  readonly began: (pid: number | undefined) => void;
  /** Told when it is over. */
  readonly ended: () => void;
}
