/**
 * AWS on this machine: our double of S3, fauxqs for SQS, and the packed function between the queues, called with the events that SQS makes of its messages. To be run in a
 * network of its own, since fauxqs listens on all interfaces:
 *
 *   node test/s3/cloud.ts AGENT…
 *
 * The first line on stdout is the address of the store; the others say what the function did. It ends when its input does.
 */
import { join } from 'node:path';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import type { handler as Handler, BatchAnswer } from '../../src/router/handler.ts';
import { credentials } from './credentials.ts';
import { S3Double } from './double.ts';

const packed = join(import.meta.dirname, '../../infra/aws/lambda/dist/index.mjs');

export interface Cloud {
  readonly store: string;
  readonly queue: string;
  readonly sqs: SQSClient;
  readonly double: S3Double;
  readonly handler: typeof Handler;
  /** One batch of what waits before the router; undefined where nothing does. */
  readonly turn: () => Promise<BatchAnswer | undefined>;
  readonly stop: () => Promise<void>;
}

export async function startCloud(agents: readonly string[]): Promise<Cloud> {
  Object.assign(process.env, credentials, { AWS_REGION: 'us-east-1' });
  const double = await S3Double.start('relay');
  const fauxqs = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' });
  const queue = `http://127.0.0.1:${fauxqs.port}/000000000000/relay`;
  const sqs = new SQSClient({ endpoint: new URL(queue).origin, region: 'us-east-1' });
  // As infra/aws makes them, but for the time that a message is hidden.
  const dead = {
    deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:relay-dead.fifo',
    maxReceiveCount: 5,
  };
  const ends = ['lane-plan', 'lane-execute', 'lane-audit', ...agents.map((agent) => `agent-${agent}`)];
  for (const name of ['dead', 'in', ...ends])
    await sqs.send(
      new CreateQueueCommand({
        QueueName: `relay-${name}.fifo`,
        Attributes: {
          FifoQueue: 'true',
          VisibilityTimeout: '1',
          ...(name === 'dead' ? {} : { RedrivePolicy: JSON.stringify(dead) }),
        },
      }),
    );
  const query = new URLSearchParams({ region: 'us-east-1', endpoint: double.endpoint, queue });
  const store = `aws://relay/acme?${query.toString()}`;
  process.env['STAFFETTA_STORE'] = store;
  const { handler } = (await import(packed)) as { readonly handler: typeof Handler };
  const turn = async (): Promise<BatchAnswer | undefined> => {
    const QueueUrl = `${queue}-in.fifo`;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return undefined;
    // As the event source does: what is not reported as failed is deleted.
    const answer = await handler({
      Records: Messages.map(({ MessageId = '', Body = '', Attributes }) => ({
        messageId: MessageId,
        body: Body,
        attributes: {
          MessageGroupId: Attributes?.MessageGroupId ?? '',
          SentTimestamp: Attributes?.SentTimestamp ?? '',
        },
      })),
    });
    const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { MessageId = '', ReceiptHandle } of Messages)
      if (!failed.has(MessageId)) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return answer;
  };
  const stop = async (): Promise<void> => {
    sqs.destroy();
    double.stop();
    await fauxqs.stop();
  };
  return { store, queue, sqs, double, handler, turn, stop };
}

if (import.meta.main) {
  const cloud = await startCloud(process.argv.slice(2));
  process.stdout.write(`${cloud.store}\n`);
  const over = new AbortController();
  process.stdin.on('end', () => over.abort());
  process.stdin.resume();
  for (let turns = 0; !over.signal.aborted; turns += 1) {
    await cloud.turn();
    if (turns % 30 === 29) await cloud.handler({});
  }
  await cloud.stop();
  process.exit();
}
