/** What is said of programs that killed commands left running. */
import { StaffettaError } from '../../core/base/error.ts';
import { programMeant } from '../../core/resume/runtime-names.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { orphans, type FoundOrphan } from '../../handoff/sessions/orphans.ts';
import { timeWords } from '../frame/duration.ts';

export async function orphanLines(context: Context): Promise<string[]> {
  return (await orphans(context)).map(orphanLine);
}

function orphanLine(orphan: FoundOrphan): string {
  const { leg, holdsUntil, folder, what } = orphan;
  const runs = `${named(orphan)} still runs in ${folder}: the command that started it was killed.`;
  if (leg === null) return `${runs} It is ended before the next command of a contract runs there.`;
  if (holdsUntil === null)
    return `${runs} Its leg ${leg.task}/${leg.generation} is over. It is ended before another begins there.`;
  return `${runs} It holds ${leg.task} until ${timeWords(holdsUntil)}. Let it finish, or end it and go on with: staffetta resume ${leg.task} --generation ${leg.generation} --in ${programMeant(what) ?? 'PROGRAM'} --launch`;
}

function named({ what, pids }: FoundOrphan): string {
  return `${what} (process ${pids.join(', ')})`;
}

/** A second program under one generation: no fence would tell them apart. */
export async function refuseSecond(
  context: Context,
  task: TaskId,
  generation: number | undefined,
): Promise<void> {
  for (const orphan of await orphans(context)) {
    const { leg, holdsUntil, pids, folder } = orphan;
    if (holdsUntil === null || leg?.task !== task || leg.generation !== generation) continue;
    throw new StaffettaError('session-busy', `${named(orphan)} still works on this leg in ${folder}.`, {
      details: { task, generation, pids: [...pids] },
      hint: 'The command that started it was killed. Let it finish, or end it, and try again.',
    });
  }
}
