/**
 * Two agents of the OpenAI Agents SDK whose model says what its input calls for: the front desk looks something up and hands over, billing
 * answers. Run as a program it is killed in the handoff's callback, or at a step of ours: front-desk.ts DATABASE callback|NTH
 */
import {
  Agent,
  run,
  setTracingDisabled,
  tool,
  Usage,
  type AgentInputItem,
  type protocol,
  type Model,
  type ModelRequest,
  type StreamEvent,
} from '@openai/agents';
import { durableHandoff, durably, StaffettaSession } from '../../src/adapters/openai-agents/index.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';

setTracingDisabled(true);

export const question = 'Why was I charged twice?';

export interface FrontDesk {
  /** What models were given, in order. */
  readonly seen: AgentInputItem[][];
  readonly looks: string[];
  agentCalled(name: string): Agent;
}

const said = (text: string): protocol.OutputModelItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const called = (name: string): protocol.OutputModelItem => ({
  type: 'function_call',
  callId: `call-${name}`,
  name,
  status: 'completed',
  arguments: '{}',
});

export function frontDesk(onHandoff: () => void = () => undefined): FrontDesk {
  const seen: AgentInputItem[][] = [];
  const looks: string[] = [];
  const model = (answer: (input: AgentInputItem[]) => protocol.OutputModelItem[]): Model => ({
    getResponse: async ({ input }: ModelRequest) => {
      const items = typeof input === 'string' ? [] : input;
      seen.push(structuredClone(items));
      return await Promise.resolve({ usage: new Usage(), output: answer(items) });
    },
    async *getStreamedResponse({ input }: ModelRequest): AsyncGenerator<StreamEvent> {
      const items = typeof input === 'string' ? [] : input;
      seen.push(structuredClone(items));
      const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      yield await Promise.resolve({
        type: 'response_done' as const,
        response: { id: 'r', usage, output: answer(items) },
      });
    },
  });
  const billing = new Agent({ name: 'Billing', model: model(() => [said('It is refunded.')]) });
  const desk = new Agent({
    name: 'Front desk',
    model: model((items) => [
      called(items.some((item) => item.type === 'function_call_result') ? 'transfer_to_Billing' : 'look'),
    ]),
    tools: [
      tool({
        name: 'look',
        description: 'Looks a charge up',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
        strict: true,
        execute: () => {
          looks.push('look');
          return 'two charges';
        },
      }),
    ],
    handoffs: [durableHandoff(billing, { onHandoff })],
  });
  return { seen, looks, agentCalled: (name) => (name === 'Billing' ? billing : desk) };
}

/** Begins, or goes on where a run was left. */
export async function serve(session: StaffettaSession, desk: FrontDesk): Promise<unknown> {
  const left = await session.unfinished();
  const agent = desk.agentCalled(left?.agent ?? 'Front desk');
  return (await run(agent, left?.input ?? question, durably(session))).finalOutput;
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

if (import.meta.main) {
  const [store = '', where = ''] = process.argv.slice(2);
  let steps = 0;
  const relay = await openStaffetta({
    store,
    reached: () => {
      steps += 1;
      if (`${steps}` === where) die();
    },
  });
  const desk = frontDesk(where === 'callback' ? die : undefined);
  await serve(new StaffettaSession(relay, 'ticket', { leaseMs: 60_000 }), desk);
  process.stdout.write(`${steps}`);
}
