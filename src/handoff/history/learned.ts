import type { Digest } from '../../core/journal/digest.ts';
import { Learning, type Learned } from '../../core/packet/learned.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from './history.ts';
import { lineageOf } from './lineage.ts';
import { soundPages } from '../record/load.ts';

type Learner = Pick<TaskState, 'task' | 'seq' | 'head' | 'fork' | 'packet' | 'unread'>;

export interface LearnedUpTo {
  readonly upTo: number;
  /** The packet that a caller read before. */
  readonly read?: { readonly digest: Digest; readonly packet: Packet } | null;
}

/** What the chain learned up to its latest packet; what came after is told by `remarks.ts`. Sessions are not read for it. */
export async function learnedOf(
  context: Context,
  state: Learner,
  { upTo, read = null }: LearnedUpTo,
): Promise<Learned> {
  const { task, packet, unread } = state;
  const learning = new Learning(task);
  for (const stretch of await lineageOf(context, state)) {
    if (stretch.task === task && upTo < 0) break;
    for await (const page of soundPages(context, stretch)) {
      for (const { entry } of page) {
        if (entry.task === task && entry.seq > upTo) return learning.learned();
        // What nobody has read yet is delivered as a message.
        if (entry.task !== task || !unread.includes(entry.seq)) learning.entry(entry);
        for (const event of entry.events)
          if (event.type === 'checkpoint-sealed' && event.packet !== packet)
            learning.packet(
              event.packet === read?.digest ? read.packet : await readPacket(context, event.packet),
            );
      }
    }
  }
  return learning.learned();
}
