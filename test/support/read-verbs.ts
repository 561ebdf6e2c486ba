import { expect } from 'vitest';
import type { HistoryItem, MessageShape, Staffetta, StoreEvent, Story } from '../../src/index.ts';

export async function readVerbs(relay: Staffetta, task: string): Promise<void> {
  expect(await relay.briefing(task, { budget: 1000 })).toContain(task);
  const shapes: readonly MessageShape[] = ['openai', 'langchain'];
  for (const shape of shapes) expect((await relay.messages(task, shape)).messages).toBeInstanceOf(Array);
  const seen: StoreEvent[] = [];
  for await (const event of relay.events({ after: 1 })) seen.push(event);
  expect(seen[0]?.position).toBe(2);
  for await (const state of relay.kept(task, 'none')) throw new Error(`kept in ${state.seq}`);
  const items: HistoryItem[] = [];
  for await (const item of relay.history(task)) items.push(item);
  expect(items.length).toBeGreaterThan(0);
  const told: Story = await relay.story(task);
  expect(told.sessions).toEqual([]);
}
