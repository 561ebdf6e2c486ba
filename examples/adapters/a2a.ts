/** An agent of another framework has work done here, over Agent2Agent: node examples/adapters/a2a.ts */
import { Role, TaskState, type Message, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { openStaffetta } from 'staffetta';
import { createApp, MemoryKeeper, Tokens } from 'staffetta/server';

// The server in this process. For one of its own: staffetta up, and staffetta token create
const origin = 'http://127.0.0.1:4747';
const relay = await openStaffetta({ store: 'memory:', gate: 'record' });
const { context } = relay;
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
const fetchImpl: typeof fetch = async (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  headers.set('host', new URL(origin).host);
  return await app.fetch(new Request(url, { ...init, headers }));
};

// The client, as A2A has it: the card first, then a message.
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
});
const client = await new ClientFactory(options).createFromUrl(origin);
const part = { content: { $case: 'text', value: 'Write the fence' }, metadata: undefined } as const;
const message: Message = {
  messageId: 'plan-1',
  taskId: '',
  contextId: '',
  role: Role.ROLE_USER,
  parts: [{ ...part, filename: '', mediaType: 'text/plain' }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};
const sent = { tenant: '', message, configuration: undefined, metadata: undefined };
const { id, status } = (await client.sendMessage(sent)) as Task;
console.log(TaskState[status?.state ?? 0]);

// An agent here takes it and hands in what it did.
const leg = await relay.take({ as: 'ben' });
await leg?.acknowledge();
console.log(TaskState[(await client.getTask({ tenant: '', id })).status?.state ?? 0]);
await leg?.submit({ claims: { summary: 'It stands.' } });
const waiting = await client.getTask({ tenant: '', id });
console.log(TaskState[waiting.status?.state ?? 0], waiting.artifacts.length);
await relay.close();
