import { Learning, type Learned } from '../../core/packet/learned.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from './history.ts';
import { lineage } from './lineage.ts';
import { soundPages } from '../record/load.ts';

/** What the chain learned up to its latest packet; what came after is told by `remarks.ts`. Sessions are not read for it. */
export async function learnedOf(
  context: Context,
  { task, packet, unread }: Pick<TaskState, 'task' | 'packet' | 'unread'>,
  upTo: number,
): Promise<Learned> {
  const learning = new Learning(task);
  for (const stretch of await lineage(context, task)) {
    for await (const page of soundPages(context, stretch)) {
      for (const { entry } of page) {
        if (entry.task === task && entry.seq > upTo) return learning.learned();
        // What nobody has read yet is delivered as a message.
        if (entry.task !== task || !unread.includes(entry.seq)) learning.entry(entry);
        for (const event of entry.events)
          if (event.type === 'checkpoint-sealed' && event.packet !== packet)
            learning.packet(await readPacket(context, event.packet));
      }
    }
  }
  return learning.learned();
}
