/** A loop that fails after its first step, and goes on with the second: node examples/adapters/ai-sdk.ts */
import { openStaffetta } from 'staffetta';
import { durableLoop } from 'staffetta/ai-sdk';
import { calling } from './without-a-key.ts';

// It decides, and then hands over.
let isDown = true;
const model = calling((answered) => {
  if (answered === 0) return ['decide', { text: 'A token bucket', why: 'it allows bursts' }];
  if (isDown) throw new Error('the model is overloaded');
  return ['handoff', { to: 'lane:execute', next: 'Build it', done: ['The shape was decided'] }];
});

const relay = await openStaffetta({ store: 'memory:' });
const leg = await relay.begin({ goal: 'A rate limiter', acceptance: ['npm test passes'] }, { as: 'ada' });
await durableLoop(relay, leg, { model, maxRetries: 0 }).catch((error: unknown) => console.log(String(error)));
isDown = false;
// In another process it would be the same: the next holder of the task calls the loop with its own leg.
const { isOver, messages } = await durableLoop(relay, leg, { model });
console.log(isOver, messages.length);
for (const { generation, agent, ended } of await relay.timeline(leg.task))
  console.log(generation, agent, ended);
await relay.close();
