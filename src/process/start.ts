/**
 * The one way in which a program is started that may work for long or start others. It has a mark in its environment, which all that it
 * starts inherits, and a group of its own unless it needs the terminal; it is noted before it starts and until nothing of it is left. Agents
 * run their commands in sessions of their own, so a group alone does not hold them, and what empties its environment is held by its
 * group alone: it is ended by both.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { limits } from '../core/base/limits.ts';
import { markName, type NotedRun } from '../ports/orphans.ts';
import { canGroup, endGroup, isGroupAlive, type Group } from './process-group.ts';
import { endStrays, straysWith } from './strays.ts';

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  /** It stays in the group of the terminal: it could not read from it otherwise. */
  readonly isForeground?: boolean;
  /** Told of its mark before it starts. */
  readonly note?: ((mark: string) => NotedRun) | undefined;
}

export interface ProgramExit {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly failed: NodeJS.ErrnoException | null;
}

export interface EndOptions {
  /** How long it has from being asked to being killed. */
  readonly graceMs?: number;
  /** Also end those who hold this pipe of ours open. */
  readonly pipe?: string | undefined;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly mark: string;
  /** When its first process has ended, whatever that left behind. */
  readonly exited: Promise<ProgramExit>;
  /** Ends the group and every process with the mark. Whether anything was alive, and whether anything is left. */
  end(options?: EndOptions): Promise<{ readonly found: boolean; readonly left: boolean }>;
  /** Ends nothing. What is left stays noted, so that the next command finds it, unless it is somebody's who knows of it. */
  leave(options?: { readonly asTheirs: boolean }): readonly number[];
}

export function startProgram(start: ProgramStart): StartedProgram {
  const { program, args, cwd, env, stdio, isForeground = false } = start;
  const mark = randomUUID();
  const noted = start.note?.(mark);
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [markName]: mark },
    stdio,
    detached: !isForeground && canGroup,
    windowsHide: !isForeground,
  });
  noted?.began(child.pid);
  const group: Group = { child, isOwn: !isForeground && canGroup };
  return {
    child,
    mark,
    exited: new Promise((resolve) => {
      child.once('error', (failed) => resolve({ exit: null, signal: null, failed }));
      child.once('exit', (exit, signal) => resolve({ exit, signal, failed: null }));
    }),
    async end({ graceMs = limits.runGraceMs, pipe } = {}) {
      const wasAlive = isGroupAlive(group);
      if (wasAlive) await endGroup(group, graceMs);
      const strays = await endStrays({ mark, pipe }, graceMs);
      if (!strays.left) noted?.ended();
      return { found: wasAlive || strays.found, left: strays.left };
    },
    leave({ asTheirs } = { asTheirs: false }) {
      const left = straysWith({ mark });
      if (asTheirs || left.length === 0) noted?.ended();
      return left;
    },
  };
}
