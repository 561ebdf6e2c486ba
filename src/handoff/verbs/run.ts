/** Commands of the contract, run by the tool itself: what it saw is a fact, whatever an agent says of it. */
import { defined } from '../../core/base/defined.ts';
import type { Validation } from '../../core/contract/contract.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { EventOf } from '../../core/journal/event.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { RunReport, Workspace } from '../../ports/workspace.ts';
import type { Context } from '../record/context.ts';
import { whileHeld, type LeaseKept } from '../record/keep-lease.ts';
import { clearCommands } from '../sessions/orphans.ts';
import type { Recorded } from '../record/record.ts';

export interface Ran {
  readonly validation: Validation;
  readonly report: RunReport;
  /** What it printed, without secrets. */
  readonly output: Uint8Array;
  readonly passed: boolean;
  /** It passed or failed on a workspace that changed meanwhile, by the command or by somebody else: the result speaks for no state of it. */
  readonly changedWorkspace: boolean;
  readonly event: Omit<EventOf<'validation-run'>, 'type' | 'v'>;
}

/** A run that is on record, and how a claim cites it. */
export interface RecordedRun extends Ran {
  /** Its entry in the journal. */
  readonly entry: number;
  /** The id for a claim's evidence, such as `r12` for the run in entry 12. */
  readonly evidence: `r${number}`;
}

export function recordedRun(ran: Ran, { entry, state }: Pick<Recorded, 'entry' | 'state'>): RecordedRun {
  const seq = entry?.seq ?? state.seq;
  return { ...ran, entry: seq, evidence: `r${seq}` };
}

export async function runValidation(
  context: Context,
  validation: Validation,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly phase?: EventOf<'validation-run'>['phase'];
    /** The holder's: kept while the command runs. Once it is lost, the command is ended. */
    readonly lease?: LeaseKept | undefined;
  },
): Promise<Ran> {
  const workspace = await openedWorkspace(context);
  await clearCommands(context);
  context.reached('run:starting');
  const report = await whileHeld(
    context,
    options.lease,
    async (lost) =>
      await workspace.run(commandOf(validation), {
        ...defined({ timeoutMs: validation.timeoutMs }),
        signal: options.signal === undefined ? lost : AbortSignal.any([options.signal, lost]),
      }),
  );
  context.reached('run:ended');
  const { value: output } = await (await context.redactor()).bytes(report.output);
  const changedWorkspace = report.after !== report.before;
  // What still runs may change the workspace at any time.
  const speaksForNone = changedWorkspace || report.unended;
  const exit = report.end.how === 'exited' ? report.end.code : null;
  return {
    validation,
    report,
    output,
    passed: exit === 0,
    changedWorkspace,
    event: {
      run: validation.run,
      ...defined({ shell: validation.shell, name: validation.name }),
      exit,
      ended: report.end.how,
      ms: report.durationMs,
      ...(output.length === 0 ? {} : { output: digestOf(output) }),
      outputBytes: report.outputBytes,
      workspace: speaksForNone ? null : report.content,
      ...defined({ phase: options.phase }),
    },
  };
}

/** The lease of a generation that holds the task now; undefined for an onlooker. */
export function leaseOf({ task, leg }: TaskState, generation: number | undefined): LeaseKept | undefined {
  if (leg === null || generation !== leg.generation) return undefined;
  return { task, generation: leg.generation, leaseMs: leg.leaseMs };
}

export async function openedWorkspace(context: Context): Promise<Workspace> {
  if (context.workspace !== undefined) return await context.workspace();
  throw new StaffettaError('workspace-missing', 'Nobody said where the work is done.', {
    hint: 'Open Staffetta with a workspace: openStaffetta({ workspace: "path/to/the/repository" }).',
  });
}

/** The program itself; a shell only where the contract asks for one. */
function commandOf({ run, shell }: Validation): readonly string[] {
  if (shell !== true) return run;
  const line = run[0] ?? '';
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', line] : ['/bin/sh', '-c', line];
}
