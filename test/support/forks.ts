/** Tasks with something to fork, and what their history says. */
import type { Digest } from '../../src/core/journal/digest.ts';
import { history } from '../../src/handoff/history/history.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { ada, type Stage } from './world.ts';

export const contract = { goal: 'The fence stands.', constraints: ['Use oak.'] };

/** A task of ada's with so many packets, the first of which is returned too. */
export async function told(at: Stage, words: readonly string[]): Promise<{ leg: Leg; packets: Digest[] }> {
  const leg = await at.staffetta.begin(contract, { as: ada });
  const packets: Digest[] = [];
  for (const transcript of words) {
    const { state } = await leg.checkpoint({ transcript });
    packets.push(state.packet ?? 'sha256:');
  }
  return { leg, packets };
}

export async function storyOf({ context }: Stage, task: string): Promise<string[]> {
  const story: string[] = [];
  for await (const item of history(context, task)) {
    if (item.kind === 'transcript') story.push(Buffer.from(item.bytes).toString());
    else if (item.kind === 'entry') story.push(`${item.entry.task} ${item.entry.seq}`);
  }
  return story;
}
