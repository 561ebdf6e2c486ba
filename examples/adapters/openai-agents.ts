/** A handoff that fails in its middle, and the run that goes on with what the model had seen: node examples/adapters/openai-agents.ts */
import { Agent, run, setTracingDisabled } from '@openai/agents';
import { openStaffetta } from 'staffetta';
import { durableHandoff, durably, StaffettaSession } from 'staffetta/openai-agents';
import { calls, says } from './without-a-key.ts';

setTracingDisabled(true);
let isDown = true;
const onHandoff = (): void => {
  if (isDown) throw new Error('the network is down');
};
const billing = new Agent({ name: 'billing', model: says('It is refunded.') });
const handoffs = [durableHandoff(billing, { onHandoff })];
const desk = new Agent({ name: 'desk', model: calls('transfer_to_billing'), handoffs });

const relay = await openStaffetta({ store: 'memory:' });
const session = new StaffettaSession(relay, 'ticket-7');
const failed = run(desk, 'I was charged twice.', durably(session));
await failed.catch((error: unknown) => console.log(String(error)));
isDown = false;
// In another process it would be the same, once the lease of the dead one is over.
const left = await session.unfinished();
console.log(left?.agent, left?.input.length);
const { finalOutput } = await run(desk, left?.input ?? [], durably(session));
console.log(finalOutput, (await session.getItems()).length);

const [card] = (await relay.list()).cards;
for (const leg of await relay.timeline(card?.task ?? '')) console.log(leg.generation, leg.agent, leg.ended);
await relay.close();
