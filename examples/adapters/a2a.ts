/** An agent of another framework has work done here, and listens to what becomes of it, over Agent2Agent: node examples/adapters/a2a.ts */
import { Message, TaskState } from '@a2a-js/sdk';
import * as a2a from '@a2a-js/sdk/client';
import { openStaffetta } from 'staffetta';
import { served } from './without-a-key.ts';

const relay = await openStaffetta({ store: 'memory:', gate: 'record' });
const origin = 'http://127.0.0.1:4747';
const fetchImpl = await served(relay, origin);

// The client, as A2A has it: the card first, then a message.
const options = a2a.ClientFactoryOptions.createFrom(a2a.ClientFactoryOptions.default, {
  transports: [new a2a.JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new a2a.DefaultAgentCardResolver({ fetchImpl }),
});
const client = await new a2a.ClientFactory(options).createFromUrl(origin);
const message = Message.fromJSON({
  messageId: 'plan-1',
  role: 'ROLE_USER',
  parts: [{ text: 'Write the fence' }],
});
const sent = { tenant: '', message, configuration: undefined, metadata: undefined };
for await (const { payload } of client.sendMessageStream(sent)) {
  if (payload?.$case === 'artifactUpdate') console.log(payload.value.artifact?.name);
  if (payload?.$case === 'statusUpdate') console.log(TaskState[payload.value.status?.state ?? 0]);
  if (payload?.$case !== 'task') continue;
  console.log(TaskState[payload.value.status?.state ?? 0]);
  // An agent here takes it and hands in what it did; the stream ends where somebody has to look at it.
  const leg = await relay.take({ as: 'ben' });
  await leg?.acknowledge();
  await leg?.submit({ claims: { summary: 'It stands.' } });
}
await relay.close();
