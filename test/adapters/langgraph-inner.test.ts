/** Graphs within a graph: what happens inside of one is no end of the run. */
import { AIMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import { StaffettaSaver } from '../../src/adapters/langgraph/saver.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';

const thread = { configurable: { thread_id: 't' } };
const say = (words: string) => ({ messages: [new AIMessage(words)] });
const asks = ({ messages }: typeof MessagesAnnotation.State) =>
  messages.length === 0 ? new Command({ goto: 'research', graph: Command.PARENT }) : say('done');

async function standing(relay: Staffetta): Promise<readonly unknown[]> {
  const [card] = (await relay.list()).cards;
  const legs = await relay.timeline(card?.task ?? '');
  return [card?.status, ...legs.map(({ agent }) => agent)];
}

test('an agent that is a graph, and names who is next, is one leg at a time', async () => {
  const relay = await openStaffetta({ store: 'memory:' });
  const inner = new StateGraph(MessagesAnnotation)
    .addNode('think', asks, { ends: [] })
    .addEdge(START, 'think')
    .addEdge('think', END)
    .compile();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('supervisor', inner, { ends: ['research', END] })
    .addNode('research', () => say('found'))
    .addEdge(START, 'supervisor')
    .addEdge('research', 'supervisor')
    .compile({ checkpointer: new StaffettaSaver(relay, { agents: ['supervisor', 'research'] }) });
  await graph.invoke({ messages: [] }, thread);
  expect(await standing(relay)).toEqual(['offered', 'langgraph', 'supervisor', 'research', 'supervisor']);
});

test.each(['sync', 'async', 'exit'] as const)(
  'a question in it lets others write, %s',
  async (durability) => {
    const relay = await openStaffetta({ store: 'memory:' });
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('ask', () => say(String(interrupt('Ship it?'))))
      .addEdge(START, 'ask')
      .addEdge('ask', END)
      .compile();
    const graph = () =>
      new StateGraph(MessagesAnnotation)
        .addNode('ada', inner)
        .addEdge(START, 'ada')
        .addEdge('ada', END)
        .compile({ checkpointer: new StaffettaSaver(relay, { agents: ['ada'] }) });
    await graph().invoke({ messages: [] }, { ...thread, durability });
    expect((await standing(relay))[0]).toBe('offered');
    const { messages } = await graph().invoke(new Command({ resume: 'yes' }), { ...thread, durability });
    expect(messages.map(({ content }) => content)).toEqual(['yes']);
    expect((await standing(relay))[0]).toBe('offered');
  },
);
