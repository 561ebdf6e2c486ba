/** A task as A2A tells it: protobuf's JSON, in which what is empty is left out. */
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { cardOf, type Card } from '../../core/task/card.ts';
import { isFinal, type Status, type TaskState } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { readCheckedPacket } from '../../handoff/history/history.ts';
import { openQuestions } from '../../handoff/history/remarks.ts';

/** What nobody works on is submitted; what waits for a person needs input, a review too. */
const stateOf: Readonly<Record<Status, string>> = {
  open: 'TASK_STATE_SUBMITTED',
  offered: 'TASK_STATE_SUBMITTED',
  blocked: 'TASK_STATE_SUBMITTED',
  lapsed: 'TASK_STATE_SUBMITTED',
  rework: 'TASK_STATE_SUBMITTED',
  held: 'TASK_STATE_WORKING',
  approved: 'TASK_STATE_WORKING',
  elsewhere: 'TASK_STATE_WORKING',
  submitted: 'TASK_STATE_INPUT_REQUIRED',
  escalated: 'TASK_STATE_INPUT_REQUIRED',
  done: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
  declined: 'TASK_STATE_REJECTED',
};

export const inputRequired = stateOf.submitted;
/** After which nothing more is told. */
export const endStates: ReadonlySet<string> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

interface Artifact {
  readonly artifactId: string;
  readonly [field: string]: unknown;
}

export interface ToldTask {
  readonly id: TaskId;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string; readonly message?: object };
  readonly artifacts?: readonly Artifact[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The statuses that a state of A2A stands for; undefined for one that no task has. */
export function statusesIn(state: string): readonly Status[] | undefined {
  const found = (Object.keys(stateOf) as Status[]).filter((status) => stateOf[status] === state);
  return found.length === 0 ? undefined : found;
}

export function toldCard({
  task,
  title,
  status,
  updatedAt,
}: Pick<Card, 'task' | 'title' | 'status' | 'updatedAt'>): ToldTask {
  return {
    id: task,
    contextId: task,
    status: { state: stateOf[status], timestamp: new Date(updatedAt).toISOString() },
    metadata: { title, status },
  };
}

export async function toldTask(context: Context, state: TaskState): Promise<ToldTask> {
  const { task, packet, packets } = state;
  const told = toldCard(cardOf(state));
  const questions = isFinal(state) ? [] : await openQuestions(context, state);
  const asks = questions.map(({ decision, question, options }) => ({
    text: question,
    metadata: { decision, options },
  }));
  return {
    ...told,
    status: {
      ...told.status,
      ...(asks.length === 0
        ? {}
        : {
            state: inputRequired,
            message: {
              messageId: `${task}-questions-${questions.map(({ decision }) => decision).join('-')}`,
              taskId: task,
              contextId: task,
              role: 'ROLE_AGENT',
              parts: asks,
            },
          }),
    },
    ...(packet === null
      ? {}
      : { artifacts: [artifactOf(packet, packets, await readCheckedPacket(context, packet))] }),
  };
}

function artifactOf(digest: string, number: number, packet: Packet): Artifact {
  const mediaType = 'application/json';
  return {
    artifactId: digest,
    name: `packet ${number}`,
    description: 'What was handed over last, sealed.',
    parts: [{ data: packet, mediaType }],
  };
}
