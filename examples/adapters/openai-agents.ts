/** A handoff that fails in its middle, and the run that goes on with what the model had seen: node examples/adapters/openai-agents.ts */
import { Agent, run, setTracingDisabled, Usage, type AgentOutputItem, type Model } from '@openai/agents';
import { openStaffetta } from 'staffetta';
import { durableHandoff, durably, StaffettaSession } from 'staffetta/openai-agents';

setTracingDisabled(true);
// A model that is none, so that this runs without a key.
const answering = (output: AgentOutputItem): Model => ({
  getResponse: async () => await Promise.resolve({ usage: new Usage(), output: [output] }),
  getStreamedResponse: () => {
    throw new Error('this model does not stream');
  },
});
const content: [{ type: 'output_text'; text: string }] = [{ type: 'output_text', text: 'It is refunded.' }];
const call = {
  type: 'function_call',
  callId: '1',
  name: 'transfer_to_billing',
  status: 'completed',
  arguments: '{}',
} as const;
let isDown = true;
const onHandoff = (): void => {
  if (isDown) throw new Error('the network is down');
};

const relay = await openStaffetta({ store: 'memory:' });
const billing = new Agent({
  name: 'billing',
  model: answering({ type: 'message', role: 'assistant', status: 'completed', content }),
});
const desk = new Agent({
  name: 'desk',
  model: answering(call),
  handoffs: [durableHandoff(billing, { onHandoff })],
});

const session = new StaffettaSession(relay, 'ticket-7');
await run(desk, 'I was charged twice.', durably(session)).catch((error: unknown) =>
  console.log(String(error)),
);
isDown = false;
// In another process it would be the same, once the lease of the dead one is over.
const left = await session.unfinished();
console.log(left?.agent, left?.input.length);
const { finalOutput } = await run(desk, left?.input ?? [], durably(session));
console.log(finalOutput, (await session.getItems()).length);

const [card] = (await relay.list()).cards;
for (const leg of await relay.timeline(card?.task ?? '')) console.log(leg.generation, leg.agent, leg.ended);
await relay.close();
