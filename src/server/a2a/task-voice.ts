/**
 * A task as a stream of A2A: the whole task first, then what becomes of it, a packet before the state that it came with. It ends with a state
 * that leaves the client something to do: the task is over, or asks. Who comes back begins with the whole task again, so nothing is missed
 * and nothing is kept for it.
 */
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { load } from '../../handoff/record/load.ts';
import type { Voice } from '../live.ts';
import { endStates, inputRequired, toldTask, type ToldTask } from './told-task.ts';

export function taskVoice(context: Context, task: TaskId, id: string | number | null): Voice {
  let last: ToldTask | undefined;
  let isOver = false;
  const frame = (result: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
  const look = async (): Promise<ToldTask> => await toldTask(context, (await load(context, task)).state);
  return {
    after: undefined,
    async greet() {
      last = await look();
      isOver = endStates.has(last.status.state);
      return frame({ task: last });
    },
    async tell(events) {
      if (!events.some((event) => event.task === task)) return '';
      const before = last;
      last = await look();
      const { contextId, status, metadata, artifacts = [] } = last;
      const of = { taskId: task, contextId };
      const isNews = before === undefined || standingOf(before) !== standingOf(last);
      isOver = isNews && (endStates.has(status.state) || status.state === inputRequired);
      return [
        ...artifacts
          .filter(({ artifactId }) => artifactId !== before?.artifacts?.[0]?.artifactId)
          .map((artifact) => frame({ artifactUpdate: { ...of, artifact, lastChunk: true } })),
        ...(isNews ? [frame({ statusUpdate: { ...of, status, metadata } })] : []),
      ].join('');
    },
    idle: () => ': ok\n\n',
    isOver: () => isOver,
  };
}

/** Without its time, which every entry moves. */
function standingOf({ status: { state, message }, metadata }: ToldTask): string {
  return JSON.stringify([state, message, metadata]);
}
