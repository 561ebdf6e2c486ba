/** A loop that fails after its first step, and goes on with the second: node examples/adapters/ai-sdk.ts */
import { MockLanguageModelV4 } from 'ai/test';
import { openStaffetta } from 'staffetta';
import { durableLoop } from 'staffetta/ai-sdk';

// A model that is none, so that this runs without a key: it decides, and then hands over.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
let isDown = true;
const model = new MockLanguageModelV4({
  doGenerate: ({ prompt }) => {
    const isSecond = prompt.some(({ role }) => role === 'tool');
    if (isSecond && isDown) throw new Error('the model is overloaded');
    const input = isSecond
      ? { to: 'lane:execute', next: 'Build it', done: ['The shape was decided'] }
      : { text: 'A token bucket', why: 'it allows bursts' };
    const toolName = isSecond ? 'handoff' : 'decide';
    return Promise.resolve({
      content: [
        { type: 'tool-call', toolCallId: `call-${prompt.length}`, toolName, input: JSON.stringify(input) },
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    });
  },
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
