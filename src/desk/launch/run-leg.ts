/**
 * Runs the program of an agent for a leg that was taken: noted, so that it is found again if this process is killed; with its lease kept;
 * ended when the leg is taken away. Once it is over, its session is sealed into the task.
 */
import type { Context } from '../../handoff/record/context.ts';
import { keepLease } from '../../handoff/record/keep-lease.ts';
import {
  captureLeg,
  sessionsThere,
  type CapturedLeg,
  type EndedRun,
} from '../../handoff/sessions/capture-leg.ts';
import type { Held } from '../../handoff/verbs/carry.ts';
import type { Home } from '../../home/home.ts';
import type { Launch } from '../../ports/runtime.ts';
import { noteRun } from '../../process/orphans.ts';
import { environmentWith, storeSetting, type LegSetting } from './leg-environment.ts';
import { runProgram, type ProgramEnd } from './run-program.ts';
import { takenAway } from './taken-away.ts';

export interface LegRun extends Pick<EndedRun, 'runtime' | 'runtimes' | 'folder' | 'by' | 'losses'> {
  readonly held: Held;
  readonly leaseMs: number;
  readonly launch: Launch;
  readonly home: Home | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly setting: LegSetting;
  /** A folder that programs are looked for in first. */
  readonly commands: string;
  readonly output: 'stdout' | 'stderr';
  /** The user interrupts. */
  readonly interrupt: AbortSignal;
  /** The user has the program before them, and ends it as they are used to. */
  readonly isWatched: boolean;
}

export interface LegRan {
  readonly ended: ProgramEnd;
  readonly captured: CapturedLeg;
  readonly wasTakenAway: boolean;
}

export async function runLeg(context: Context, run: LegRun): Promise<LegRan> {
  const { held, launch, home, runtime, runtimes, folder, by, losses, interrupt } = run;
  const before = await sessionsThere(runtime, folder);
  const kept = keepLease(context, { ...held, leaseMs: run.leaseMs });
  const taken = takenAway(context, held, kept.lost);
  const ended = await runProgram(launch, {
    env: environmentWith(run.env, { ...run.setting, ...storeSetting(home), ...launch.env }, run.commands),
    note: (mark) => noteRun(home?.runs, { what: runtime.name, folder: launch.cwd, leg: held }, mark),
    isWatched: run.isWatched,
    output: run.output,
    stop: run.isWatched ? new AbortController().signal : AbortSignal.any([interrupt, taken]),
  });
  await kept.release();
  const captured = await captureLeg(context, held, {
    runtime,
    runtimes,
    folder,
    session: launch.session,
    before,
    by,
    trigger: interrupt.aborted ? 'user' : ended.exit === 0 ? 'planned' : 'crash',
    losses,
  });
  return { ended, captured, wasTakenAway: taken.aborted };
}
