import { waitingTerm, type AddedTerm, type StandingContract } from '../../core/contract/added-terms.ts';
import { canonical } from '../../core/journal/canonical.ts';
import type { Validation } from '../../core/contract/contract.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { load } from '../record/load.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { readStanding } from '../views/standing-contract.ts';
import { leaseOf, openedWorkspace, recordedRun, runValidation, type Ran, type RecordedRun } from './run.ts';

export interface ValidateOptions {
  /** The holder's fence; a person or a supervisor may leave it out. */
  readonly generation?: number;
  /** Only these, by name or by their place from 1. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal;
  /** Told before each command starts. */
  readonly starting?: (validation: Validation) => void;
  /** Told of commands that are not run, because a holder added them and nobody has confirmed them. */
  readonly waiting?: (term: AddedTerm) => void;
}

/**
 * Runs the contract's commands one after the other and records how each ended, bound to the workspace it ran on: an edit makes a
 * result stale. Each result is recorded as soon as it is there.
 */
export async function validate(
  context: Context,
  task: TaskId,
  options: ValidateOptions,
  call: Call,
): Promise<readonly RecordedRun[]> {
  const { state } = await load(context, task);
  const { validation: named = [] } = await readContract(context, state.contract);
  const standing = await readStanding(context, state);
  const chosen = runnable(choose(named, options.only, task), { task, standing, options });
  await openedWorkspace(context);
  const fence = options.generation === undefined ? {} : { generation: options.generation };
  const recordRun = async (ran: readonly Ran[]): Promise<Recorded> =>
    await record(context, {
      task,
      call: ran.length === 0 ? { by: call.by, dryRun: true } : withKey(call, ran),
      // How it ended is no part of what was asked: a second try under the same key ends a little differently.
      request: { validate: ran.map(({ event }) => event.run), ...fence },
      prepare: () => ({
        command: { type: 'record-runs', runs: ran.map(({ event }) => event), ...fence },
        blobs: ran.flatMap(({ output }) => (output.length === 0 ? [] : [output])),
      }),
    });
  // A caller that may not record a result should not start the commands either.
  await recordRun([]);
  const lease = leaseOf(state, options.generation);
  const all: RecordedRun[] = [];
  for (const validation of chosen) {
    options.starting?.(validation);
    if (call.dryRun === true) continue;
    const ran = await runValidation(context, validation, { signal: options.signal, lease });
    all.push(recordedRun(ran, await recordRun([ran])));
    if (options.signal?.aborted === true) break;
  }
  return all;
}

/** A command that another holder added is not run before it is confirmed; asked for by name it is refused. */
function runnable(
  chosen: readonly Validation[],
  { task, standing, options }: { task: TaskId; standing: StandingContract; options: ValidateOptions },
): readonly Validation[] {
  const waiting = chosen.flatMap((one) => waitingTerm(standing, one, options.generation ?? null) ?? []);
  const [first] = waiting;
  const left = chosen.filter((one) => waitingTerm(standing, one, options.generation ?? null) === undefined);
  if (first !== undefined && (left.length === 0 || (options.only ?? []).length > 0))
    throw new StaffettaError(
      'lane-denied',
      `${first.text} is not run: ${first.by} added it to the contract of task ${task}, and nobody has confirmed it.`,
      {
        details: { task, by: first.by, generation: first.generation },
        hint: `Look at what it does. A person, or the plan or supervise lane, confirms it: staffetta amend ${task} --confirm --why TEXT`,
      },
    );
  for (const term of waiting) options.waiting?.(term);
  return left;
}

function withKey({ key, ...call }: Call, ran: readonly Ran[]): Call {
  if (key === undefined) return call;
  const commands = digestOf(canonical(ran.map(({ validation }) => validation.run)));
  return { ...call, key: `${key.slice(0, 100)}/${commands.slice(7, 39)}` };
}

function choose(
  all: readonly Validation[],
  only: readonly string[] | undefined,
  task: TaskId,
): readonly Validation[] {
  if (all.length === 0) {
    throw new StaffettaError('invalid-input', `The contract of task ${task} names no validation command.`, {
      hint: `Add one: staffetta amend ${task} --validate "npm test" --why "…". Or hand it in without --prove.`,
    });
  }
  if (only === undefined || only.length === 0) return all;
  return only.map((name) => {
    const found = all.find(
      (one, i) => one.name === name || one.run.join(' ') === name || `${i + 1}` === name,
    );
    if (found !== undefined) return found;
    throw new StaffettaError('invalid-input', `No validation command is called ${JSON.stringify(name)}.`, {
      details: { commands: all.map((one) => one.name ?? one.run.join(' ')) },
      hint: `It has: ${all.map((one) => one.name ?? one.run.join(' ')).join(', ')}.`,
    });
  });
}
