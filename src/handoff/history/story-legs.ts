/** Whose reasoning the steps of a story are: the packets that brought them know. */
import type { Lane } from '../../core/task/actor.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { recordsUpTo } from '../../core/packet/packet.ts';
import { readCheckedPacket } from './history.ts';
import { lineage } from './lineage.ts';
import { soundPages } from '../record/load.ts';

export interface StoryLeg {
  /** The first record that it brought: its steps have this name or a later one. */
  readonly ref: number;
  readonly generation: number;
  readonly agent: string;
  readonly lane: Lane;
}

/** In order, one for each change of hands; what the same leg brought in several packets is one. */
export async function storyLegs(context: Context, task: TaskId): Promise<StoryLeg[]> {
  const legs: StoryLeg[] = [];
  let records = 0;
  let lane: Lane = 'execute';
  for (const stretch of await lineage(context, task))
    for await (const page of soundPages(context, stretch))
      for (const { entry } of page)
        for (const event of entry.events) {
          if (event.type === 'leg-started') ({ lane } = event);
          if (event.type !== 'checkpoint-sealed') continue;
          const packet = await readCheckedPacket(context, event.packet);
          const { facts, transcript, generation, from } = packet;
          const known = facts?.session ?? facts?.conversation;
          if (known === undefined && transcript.length === 0) continue;
          const ref = (known?.before ?? records) + 1;
          records = recordsUpTo(packet) ?? ref;
          const last = legs.at(-1);
          if (last?.generation === generation && last.agent === from.name) continue;
          legs.push({ ref, generation, agent: from.name, lane });
        }
  return legs;
}
