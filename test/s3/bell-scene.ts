/** Run by bell.test.ts in a network of its own. Says what happened, as one line of JSON after all others. */
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { openRun } from '../../src/crew/open-run.ts';
import { crewActor, plannedKey } from '../../src/crew/run-names.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { openBell, parseRing, queueUrl, type Ring } from '../../src/stores/s3/bell.ts';
import { eve } from '../support/world.ts';
import { startCloud } from './cloud.ts';

const cloud = await startCloud(['ada', 'bea', 'code', 'qa']);
const relay = await openStaffetta({ store: cloud.store, as: 'ada', gate: 'record' });
const said: Record<string, unknown> = {};

/** What came for somebody, deleted as it is heard. */
async function heard(name: string): Promise<Ring[]> {
  const QueueUrl = `${cloud.queue}-${name}.fifo`;
  const { Messages = [] } = await cloud.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  for (const { ReceiptHandle } of Messages)
    await cloud.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return Messages.flatMap(({ Body }) => parseRing(Body ?? '') ?? []);
}
const record = (
  id: string,
  body: string,
  group: string,
): { messageId: string; body: string; attributes: { MessageGroupId: string } } => ({
  messageId: id,
  body,
  attributes: { MessageGroupId: group },
});

// An offer rings; the function tells the next agent, and where its packet is.
const { task } = await relay.open(
  { title: 'Fold accents', goal: 'slug() folds accents' },
  { to: 'agent:bea' },
);
said['answer'] = await cloud.turn();
said['for bea'] = await heard('agent-bea');
// The same message again: one more ring, as SQS may do.
const ring = JSON.stringify({ task, offer: 1, to: 'agent:bea' });
said['again'] = await cloud.handler({ Records: [record('m1', ring, task)] });
said['for bea again'] = (await heard('agent-bea')).length;
// Of a batch only what failed comes back, and in its group all after it.
const other = { task: 't000000000000', offer: 1, to: 'agent:bea' };
said['partial'] = await cloud.handler({
  Records: [
    record('bad', 'no ring', 'g'),
    record('after', ring, 'g'),
    record('fine', JSON.stringify(other), 'h'),
  ],
});
// Nobody is rung for an offer that was taken.
const leg = await relay.take({ as: 'bea' });
await cloud.handler({ Records: [record('late', ring, task)] });
said['after it was taken'] = (await heard('agent-bea')).length;
await leg?.acknowledge({ next: 'look' });
await leg?.handoff({ to: 'anyone', why: 'done', claims: { next: 'test it' } });
while ((await cloud.turn()) !== undefined);
said['for its lane'] = (await heard('lane-execute')).map(({ to, packet, store }) => [
  to,
  typeof packet,
  store?.startsWith('aws://relay/acme'),
]);

// The task of a run: whom the crew's edges leave.
const crew = {
  strategy: 'handoff',
  agents: { code: { lane: 'execute' }, qa: { lane: 'audit' } },
  edges: [{ from: 'code', to: 'qa' }],
} as const;
const plan = {
  goal: 'slugs',
  tasks: { slug: { title: 'Slug', goal: 'slug() folds accents', acceptance: ['so'], lane: 'execute' } },
} as const;
await openRun(
  relay.context,
  { v: 1, name: 'spring', plan: structuredClone(plan) as never, crew: structuredClone(crew) as never },
  { by: eve, why: 'Spring.' },
);
const planned = await relay.open(
  { title: 'Slug', goal: 'slug() folds accents', acceptance: ['so'] },
  { as: crewActor, key: plannedKey('spring', 'slug') },
);
while ((await cloud.turn()) !== undefined);
said['for code'] = (await heard('agent-code')).map((one) => one.task === planned.task);
said['for qa'] = (await heard('agent-qa')).length;

// Once a minute what stands is rung for again: a ring that was lost costs time only.
await cloud.handler({});
said['recovered for code'] = (await heard('agent-code')).map((one) => one.task === planned.task);

// Waiting: a ring ends it, a queue that is not there does not.
const bell = await openBell(cloud.queue, { region: 'us-east-1' });
const waits = bell.wait(['agent:nobody', 'agent:ada'], 20_000);
await cloud.sqs.send(
  new SendMessageCommand({
    QueueUrl: queueUrl(cloud.queue, 'agent:ada'),
    MessageBody: ring,
    MessageGroupId: task,
    MessageDeduplicationId: 'once',
  }),
);
said['woken by'] = (await waits)?.task === task;
said['not woken'] = (await bell.wait(['agent:ada'], 1200)) ?? null;
cloud.double.counted();
await bell.wait(['agent:ada'], 3000);
said['requests to S3 meanwhile'] = cloud.double.requests.length;
await bell.close();
await relay.store.close();
await cloud.stop();
process.stdout.write(`${JSON.stringify(said)}\n`);
process.exit();
