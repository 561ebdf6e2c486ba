/** A swarm of two, killed in the middle and gone on with by another process: node examples/adapters/langgraph.ts */
import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { isStaffettaError, openStaffetta } from 'staffetta';
import { StaffettaSaver } from 'staffetta/langgraph';

const relay = await openStaffetta({ store: 'memory:' });
const thread = { configurable: { thread_id: 'release' } };

const say = (words: string) => ({ messages: [new AIMessage(words)] });

function swarm(review: () => string) {
  return new StateGraph(MessagesAnnotation)
    .addNode('code', () => say('The parser accepts comments.'))
    .addNode('review', () => say(review()))
    .addEdge(START, 'code')
    .addEdge('code', 'review')
    .addEdge('review', END)
    .compile({ checkpointer: new StaffettaSaver(relay, { agents: ['code', 'review'] }) });
}

const failing = swarm(() => {
  throw new Error('the model is overloaded');
});
await failing.invoke({ messages: [] }, thread).catch((error: unknown) => console.log(String(error)));
const { messages } = await swarm(() => 'Looks good.').invoke(null, thread);
console.log(messages.map(({ text }) => text).join(' '));

const [card] = (await relay.list()).cards;
for (const leg of await relay.timeline(card?.task ?? '')) console.log(leg.generation, leg.agent, leg.ended);
await relay.take({ task: card?.task ?? '', as: 'somebody-else' });
await swarm(() => 'Again.')
  .invoke({ messages: [] }, thread)
  .catch((error: unknown) => console.log(isStaffettaError(error) ? error.code : error));
await relay.close();
