/** Run by bell.test.ts in a network of its own. Says what happened, as one line of JSON after all others. */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { openRun } from '../../src/crew/open-run.ts';
import { crewActor, plannedKey } from '../../src/crew/run-names.ts';
import { parseEntry } from '../../src/core/journal/entry.ts';
import { load } from '../../src/handoff/record/load.ts';
import { redrive } from '../../src/handoff/verbs/offer.ts';
import { inboxOf } from '../../src/handoff/views/inbox.ts';
import { unheardOffers } from '../../src/handoff/views/unheard.ts';
import { storeFigures } from '../../src/handoff/views/figures.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { openBell, parseRing, queueUrl, type Ring } from '../../src/stores/s3/bell.ts';
import { openS3Store } from '../../src/stores/s3/open.ts';
import { urlAddress } from '../../src/ports/store-address.ts';
import { numbers } from '../../src/conformance/sample.ts';
import { bea, eve } from '../support/world.ts';
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
async function waiting(name: string): Promise<number> {
  const { Attributes } = await cloud.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: `${cloud.queue}-${name}.fifo`, AttributeNames: ['All'] }),
  );
  return (
    Number(Attributes?.ApproximateNumberOfMessages) +
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
  );
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

// What has stood for a minute is rung for again: a ring that was lost costs time only.
const early = await openStaffetta({
  store: cloud.store,
  as: 'ada',
  clock: { now: () => Date.now() - 61_000, sleep: async () => {} },
});
const lost = await early.open({ title: 'Lost', goal: 'Its ring is lost.' }, { to: 'agent:code' });
await early.store.close();
while ((await cloud.turn()) !== undefined);
await heard('agent-code');
await cloud.handler({});
said['recovered for code'] = (await heard('agent-code')).map((one) => one.task === lost.task);

// A ring that was heard five times while nobody could take the work is a dead letter: people see it, and ring again.
const { task: hard } = await relay.open({ title: 'Hard', goal: 'Nobody can.' }, { to: 'agent:ada' });
while ((await cloud.turn()) !== undefined);
const deaf = await openStaffetta({ store: cloud.store, as: 'ada' });
let hearings = 0;
while ((await unheardOffers(relay.context)).length === 0 && hearings < 40) {
  await deaf.store.bell?.wait(['agent:ada'], AbortSignal.timeout(2500));
  hearings += 1;
}
const stuck = (await inboxOf(relay.context)).filter(({ kind }) => kind === 'dead');
said['dead letter'] = stuck.map(({ kind, task, status, text }) => [kind, task === hard, status, text]);
said['figures'] = (await storeFigures(relay.context)).unheard;
const ask = async (by: typeof eve): Promise<string> =>
  (await redrive(relay.context, hard, { why: 'she is back' }, { by })).state.status;
said['re-driven by an agent'] = await ask(bea).catch((error: { code?: unknown }) => error.code);
said['re-driven'] = await ask(eve);
const [last] = await relay.store.journal.read(hard, (await load(relay.context, hard)).state.seq, 1);
const { by: who, events } = parseEntry(last?.body ?? '');
said['on record'] = [who.name, ...events];
said['dead letters left'] = (await unheardOffers(relay.context)).length;
while ((await cloud.turn()) !== undefined);

// Two who heard the same ring, because the first took longer than it was hidden: one leg, and the message goes with it.
const late = await openStaffetta({ store: cloud.store, as: 'ada' });
await deaf.store.bell?.wait(['agent:ada'], AbortSignal.timeout(5000));
await late.store.bell?.wait(['agent:ada'], AbortSignal.timeout(5000));
const takes = await Promise.allSettled(
  [deaf, late].map(async (one) => await one.take({ as: 'ada', task: hard })),
);
said['legs of two who heard'] = takes.filter(({ status }) => status === 'fulfilled').length;
for (let n = 0; n < 40 && (await waiting('agent-ada')) > 0; n += 1)
  await late.store.bell?.wait(['agent:ada'], AbortSignal.timeout(1500));
for (const one of [deaf, late]) await one.store.close();
said['left in the queue'] = await waiting('agent-ada');

// Messages that come twice, in the wrong order, or not at all: of two who hear what is left of them, each task is taken by one.
const eight = await Promise.all(
  numbers(8).map(async (n) => (await relay.open({ goal: `Task ${n}` }, { to: 'agent:qa' })).task),
);
const came: ReturnType<typeof record>[] = [];
for (;;) {
  const { Messages = [] } = await cloud.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: `${cloud.queue}-in.fifo`,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
    }),
  );
  if (Messages.length === 0) break;
  for (const { MessageId = '', Body = '', ReceiptHandle } of Messages) {
    came.push(record(MessageId, Body, parseRing(Body)?.task ?? ''));
    await cloud.sqs.send(new DeleteMessageCommand({ QueueUrl: `${cloud.queue}-in.fifo`, ReceiptHandle }));
  }
}
const storm = [...came, ...came].toReversed().filter((_, n) => n % 5 !== 0);
said['of a storm'] = await cloud.handler({ Records: storm });
const hearers = await Promise.all(
  numbers(2).map(async () => await openStaffetta({ store: cloud.store, as: 'qa' })),
);
const taken = await Promise.all(
  hearers.map(async (one) => {
    const tasks: string[] = [];
    for (let leg; (leg = await one.take({ as: 'qa' })) !== undefined;) tasks.push(leg.task);
    return tasks;
  }),
);
said['taken of eight'] = eight.map((one) => taken.flat().filter((other) => other === one).length);
said['of the storm again'] = await cloud.handler({ Records: storm });
for (const one of hearers) await one.store.close();

// Waiting: a ring ends it, a queue that is not there does not.
const bell = await openBell(cloud.queue, { region: 'us-east-1', stands: async () => false });
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
await bell.close();
// A worker that is told by the bell, and finds nothing: what a look and a recovery cost, by how often it does them.
const idle = await openStaffetta({ store: cloud.store, as: 'code', gate: 'record' });
while ((await idle.take({ as: { name: 'code', kind: 'agent', lane: 'execute' } })) !== undefined);
await idle.store.bell?.wait(['agent:code', 'lane:execute'], AbortSignal.timeout(1500));
// Hints that others have acted on are taken away by the first who looks.
await idle.take({ as: { name: 'code', kind: 'agent', lane: 'execute' } });
const minutes = (idle.store.pollMs ?? 0) / 60_000;
cloud.double.counted();
await idle.take({ as: { name: 'code', kind: 'agent', lane: 'execute' } });
const look = cloud.double.requests.splice(0).length;
await idle.recover();
const recovery = cloud.double.requests.splice(0).length;
await idle.store.bell?.wait(['agent:code', 'lane:execute'], AbortSignal.timeout(1500));
said['requests to S3 while it waits'] = cloud.double.requests.length;
said['requests a minute'] = look / minutes + recovery / (5 * minutes);
said['a look and a recovery'] = [look, recovery];
said['alone'] = (await openS3Store(urlAddress(cloud.store.replace(/&queue=.*/, '')))).pollMs;
await idle.store.close();
await relay.store.close();
await cloud.stop();
process.stdout.write(`${JSON.stringify(said)}\n`);
process.exit();
