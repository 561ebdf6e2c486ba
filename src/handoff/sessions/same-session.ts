/**
 * Other tasks of one session: what it gave away before it went on (decision 37). The receiver of the later task is told of them, so that
 * two are not sent to do the same work unknowingly.
 */
import type { Contract } from '../../core/contract/contract.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { finalStatuses, type Status, type TaskState } from '../../core/task/state.ts';
import type { Story } from '../../core/transcript/story.ts';
import type { SessionPlace } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { load } from '../record/load.ts';
import { tasksOfSession, type BoundTask } from './session-task.ts';

export interface SameSession {
  readonly task: TaskId;
  readonly status: Status;
  readonly holder: string | null;
  readonly offeredTo: string | null;
}

/** What a session was at before: it holds for what is said in it now, unless it was taken back. */
export interface Earlier {
  /** All of the session. */
  readonly whole: Story;
  /** Of the task that it gave away last. */
  readonly contract: Contract;
  /** Those that are not over. */
  readonly tasks: readonly SameSession[];
}

export async function earlierOf(
  context: Context,
  { task, state }: BoundTask,
  session: SessionPlace,
): Promise<Omit<Earlier, 'whole'>> {
  const tasks: SameSession[] = [];
  for (const id of new Set([...(await tasksOfSession(context, session)), task])) {
    const { state: standing } = await load(context, id);
    if (!finalStatuses.includes(standing.status)) tasks.push(standingOf(standing));
  }
  return { contract: await readContract(context, state.contract), tasks };
}

function standingOf({ task, status, leg, offer }: TaskState): SameSession {
  return { task, status, holder: leg?.holder.name ?? null, offeredTo: offer?.to ?? null };
}

function sameSessionWords({ task, status, holder, offeredTo }: SameSession): string {
  const where =
    holder === null
      ? offeredTo === null
        ? `was ${status} when this was opened`
        : `was on offer to ${offeredTo} when this was opened`
      : `was held by ${holder} when this was opened`;
  return `Task ${task} is of the same session and ${where}`;
}

const beforeWork = ': what it is for is not done twice. Before you begin, see staffetta show ';

/** For the contract of the later task. */
export function sameSessionRule(one: SameSession): string {
  return `${sameSessionWords(one)}${beforeWork}${one.task}`;
}

export function isSameSessionRule(text: string): boolean {
  return text.includes(beforeWork);
}
