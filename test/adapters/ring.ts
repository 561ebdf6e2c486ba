/** Two agents that hand a growing list to each other, so many times. Run as a program it is killed at a step of ours: ring.ts DATABASE HOPS NTH */
import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { StaffettaSaver } from '../../src/adapters/langgraph/saver.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';

export const inRing = {
  configurable: { thread_id: 'ring' },
  durability: 'sync',
  recursionLimit: 100,
} as const;

const carry =
  (name: string) =>
  ({ messages }: typeof MessagesAnnotation.State) => ({
    messages: [new AIMessage({ id: `${messages.length}`, content: `${name} ${messages.length}` })],
  });

export function ring(checkpointer: StaffettaSaver, hops: number) {
  const next =
    (to: 'ada' | 'ben') =>
    ({ messages }: typeof MessagesAnnotation.State) =>
      messages.length < hops ? to : END;
  return new StateGraph(MessagesAnnotation)
    .addNode('ada', carry('ada'))
    .addNode('ben', carry('ben'))
    .addEdge(START, 'ada')
    .addConditionalEdges('ada', next('ben'), ['ben', END])
    .addConditionalEdges('ben', next('ada'), ['ada', END])
    .compile({ checkpointer });
}

if (import.meta.main) {
  const [store = '', hops = '4', nth = '0'] = process.argv.slice(2);
  let steps = 0;
  const relay = await openStaffetta({
    store,
    reached: () => {
      steps += 1;
      if (steps === Number(nth)) process.kill(process.pid, 'SIGKILL');
    },
  });
  const saver = new StaffettaSaver(relay, { agents: ['ada', 'ben'], leaseMs: 60_000 });
  await ring(saver, Number(hops)).invoke({ messages: [] }, inRing);
  process.stdout.write(`${steps}`);
}
