/** Models that are none, so that the programs here run without a key, and a server in the same process. */
import { Usage, type AgentOutputItem, type Model } from '@openai/agents';
import { MockLanguageModelV4 } from 'ai/test';
import type { Staffetta } from 'staffetta';
import { createApp, MemoryKeeper, Tokens } from 'staffetta/server';

/** For the OpenAI Agents SDK: says the same each time, or calls the same tool. */
export function says(text: string): Model {
  const content: [{ type: 'output_text'; text: string }] = [{ type: 'output_text', text }];
  return answering({ type: 'message', role: 'assistant', status: 'completed', content });
}

export function calls(name: string): Model {
  return answering({ type: 'function_call', callId: '1', name, status: 'completed', arguments: '{}' });
}

function answering(output: AgentOutputItem): Model {
  return {
    getResponse: async () => await Promise.resolve({ usage: new Usage(), output: [output] }),
    getStreamedResponse: () => {
      throw new Error('this model does not stream');
    },
  };
}

/** For the AI SDK: calls one tool after the other, by how many have answered. */
export function calling(
  call: (answered: number) => readonly [tool: string, input: object],
): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const [toolName, input] = call(prompt.filter(({ role }) => role === 'tool').length);
      const toolCallId = `call-${prompt.length}`;
      return await Promise.resolve({
        content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      });
    },
  });
}

/** As `staffetta up` and `staffetta token create` would do it: what a client calls in the place of `fetch`. */
export async function served({ context }: Staffetta, origin: string): Promise<typeof fetch> {
  const tokens = new Tokens(new MemoryKeeper(), context);
  const app = createApp({ context, tokens, origins: () => [origin], version: '1' });
  const now = Date.now();
  const { token } = await tokens.create({
    use: 'bearer',
    actor: { name: 'planner', kind: 'agent' },
    verbs: ['read', 'tell', 'direct'],
    task: null,
    generation: null,
    createdBy: 'ada',
    createdAt: now,
    expiresAt: now + 3_600_000,
  });
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    headers.set('host', new URL(origin).host);
    return await app.fetch(new Request(url, { ...init, headers }));
  };
}
