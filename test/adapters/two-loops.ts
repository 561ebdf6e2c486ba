/**
 * Two loops of the AI SDK whose model says what its messages call for: ada looks something up, decides and hands over, ben submits. Run as a
 * program it is killed at a step of ours: two-loops.ts DATABASE NTH
 */
import { tool, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as z from 'zod/mini';
import { durableLoop } from '../../src/adapters/ai-sdk/index.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';

export interface Loops {
  readonly model: MockLanguageModelV4;
  readonly looks: string[];
}

type Prompt = MockLanguageModelV4['doGenerateCalls'][number]['prompt'];
type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
export type Said = string | readonly [tool: string, input: object];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The model whose answers are texts, or calls of tools. */
export function scripted(answer: (prompt: Prompt) => Said): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    supportedUrls: { '*/*': [/./] },
    doGenerate: async ({ prompt }): Promise<Answer> => {
      const said = answer(prompt);
      const isText = typeof said === 'string';
      return await Promise.resolve({
        content: isText
          ? [{ type: 'text', text: said }]
          : [
              {
                type: 'tool-call',
                toolCallId: `c${prompt.length}`,
                toolName: said[0],
                input: JSON.stringify(said[1]),
              },
            ],
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      });
    },
  });
}

export const handsOver = { to: 'agent:ben', next: 'Write to the customer', done: ['The charge was found'] };

export function loops(): Loops {
  const looks: string[] = [];
  const model = scripted((prompt) => {
    const used = prompt.filter(({ role }) => role === 'tool').length;
    if (JSON.stringify(prompt[0]).includes('Write to the customer'))
      return used === 0 ? ['submit', { summary: 'The customer knows.' }] : 'Done.';
    if (used === 0) return ['look', { id: 7 }];
    return used === 1
      ? ['decide', { text: 'Refund one charge', why: 'it is a double' }]
      : ['handoff', handsOver];
  });
  return { model, looks };
}

export const contract = { goal: 'The customer has one charge', acceptance: ['a person looked at it'] };

/** The next agent takes the task and carries it, until nobody is. */
export async function play(relay: Staffetta, { model, looks }: Loops): Promise<ModelMessage[][]> {
  const told: ModelMessage[][] = [];
  const look = tool({
    description: 'Looks a charge up',
    inputSchema: z.object({ id: z.number() }),
    execute: ({ id }) => {
      looks.push(`${id}`);
      return { charges: 2, receipt: Uint8Array.of(0, 255) };
    },
  });
  const { task } = await relay.open(contract, { key: 'ticket', as: 'front', to: 'agent:ada' });
  for (;;) {
    const { offer } = await relay.show(task);
    if (offer === null) return told;
    // An offer that is made again after a leg that lapsed is for the lane.
    const last = (await relay.timeline(task)).at(-1)?.agent ?? 'ada';
    const as = offer.to.startsWith('agent:') ? offer.to.slice('agent:'.length) : last;
    const leg = await relay.take({ task, as });
    if (leg === undefined) return told;
    const { messages } = await durableLoop(relay, leg, { model, tools: { look } });
    told.push(messages);
  }
}

if (import.meta.main) {
  const [store = '', nth = ''] = process.argv.slice(2);
  let steps = 0;
  const relay = await openStaffetta({
    store,
    reached: () => {
      steps += 1;
      if (`${steps}` === nth) process.kill(process.pid, 'SIGKILL');
    },
  });
  await play(relay, loops());
  process.stdout.write(`${steps}`);
}
