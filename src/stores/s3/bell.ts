/**
 * The bell: queues of SQS, told apart by the end of their names. `QUEUE-in.fifo` is heard by the router, which passes a ring on to the queue of the agent, lane
 * or program that is next: `QUEUE-agent-NAME.fifo`, `QUEUE-lane-LANE.fifo`, `QUEUE-runtime-NAME.fifo`.
 *
 * A ring only hurries: nothing depends on it. The task is the message group, so rings of one task come in order; each ring has a deduplication id of its own, because SQS
 * swallows the same one for five minutes, also after it was received and deleted. A message that was heard is deleted at once.
 */
import type * as SqsSdk from '@aws-sdk/client-sqs';
import type { Digest } from '../../core/journal/digest.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Address } from '../../core/task/address.ts';
import type { BucketPlace } from './address.ts';
import { newWriter } from './keys.ts';

/** "Look at this task." */
export interface Ring {
  readonly task: TaskId;
  readonly offer: number;
  readonly to: Address;
  /** What the next agent receives: the digest of the packet, and where its store is. Only the router says it. */
  readonly packet?: Digest | null;
  readonly store?: string;
}

/** The longest that SQS waits in one request. */
const waitSecondsMax = 20;
/** So long a queue that is not there is not asked for again. */
const absentMs = 60_000;

export function queueUrl(queue: string, to: Address | 'in'): string {
  return `${queue}-${to.replace(':', '-').replaceAll(/[^A-Za-z0-9_-]/g, '_')}.fifo`;
}

export function parseRing(body: string): Ring | undefined {
  let said: Partial<Ring>;
  try {
    said = JSON.parse(body) as Partial<Ring>;
  } catch {
    return undefined;
  }
  const { task, offer, to } = said;
  const isRing =
    typeof task === 'string' && isTaskId(task) && typeof offer === 'number' && typeof to === 'string';
  return isRing ? (said as Ring) : undefined;
}

async function loadSdk(): Promise<typeof SqsSdk> {
  try {
    return await import('@aws-sdk/client-sqs');
  } catch (cause) {
    throw new StaffettaError(
      'store-unsupported',
      'The queue in the address of the store needs the package @aws-sdk/client-sqs.',
      {
        cause,
        hint: 'Install it beside staffetta: npm install @aws-sdk/client-sqs',
      },
    );
  }
}

export async function openBell(queue: string, place: Pick<BucketPlace, 'region'>): Promise<SqsBell> {
  const sdk = await loadSdk();
  const { region } = place;
  // The queue is asked where its address says, at Amazon or at an emulator.
  const client = new sdk.SQSClient({
    endpoint: new URL(queue).origin,
    requestHandler: { connectionTimeout: 5000, requestTimeout: (waitSecondsMax + 10) * 1000 },
    ...(region === undefined ? {} : { region }),
  });
  return new SqsBell(sdk, client, queue);
}

export class SqsBell {
  readonly #sdk: typeof SqsSdk;
  readonly #client: SqsSdk.SQSClient;
  readonly #queue: string;
  readonly #ringing = new Set<Promise<void>>();
  readonly #absent = new Map<string, number>();

  constructor(sdk: typeof SqsSdk, client: SqsSdk.SQSClient, queue: string) {
    this.#sdk = sdk;
    this.#client = client;
    this.#queue = queue;
  }

  /** Neither fails nor delays: whoever rings has more important things to do. */
  ring(ring: Ring): void {
    const sent = this.send('in', ring)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#ringing.delete(sent));
    this.#ringing.add(sent);
  }

  /** False: there is no such queue, so nobody waits at it. */
  async send(to: Address | 'in', ring: Ring): Promise<boolean> {
    const command = new this.#sdk.SendMessageCommand({
      QueueUrl: queueUrl(this.#queue, to),
      MessageBody: JSON.stringify(ring),
      MessageGroupId: ring.task,
      MessageDeduplicationId: `${ring.task}.${ring.offer}.${newWriter()}`,
    });
    try {
      await this.#client.send(command);
      return true;
    } catch (error) {
      if ((error as Error).name === 'QueueDoesNotExist') return false;
      throw error;
    }
  }

  /** Until somebody rings for one of the addresses, or the time is over. */
  async wait(addresses: readonly Address[], ms: number, signal?: AbortSignal): Promise<Ring | undefined> {
    const over = new AbortController();
    // A timer that keeps the process alive: whoever waits has more to do.
    const timer = setTimeout(() => over.abort(), ms);
    const all = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    const listening = addresses.map(async (address) => {
      const ring = await this.#listen(queueUrl(this.#queue, address), Date.now() + ms, all);
      if (ring !== undefined) over.abort();
      return ring;
    });
    const rings = await Promise.all(listening);
    // Queues that are not there end at once; the caller still asked for so much time.
    if (!all.aborted)
      await new Promise<void>((resolve) => {
        all.addEventListener('abort', () => resolve(), { once: true });
      });
    clearTimeout(timer);
    return rings.find((ring) => ring !== undefined);
  }

  async #listen(url: string, until: number, signal: AbortSignal): Promise<Ring | undefined> {
    while (!signal.aborted && (this.#absent.get(url) ?? 0) < Date.now()) {
      const left = Math.min(waitSecondsMax, Math.floor((until - Date.now()) / 1000));
      if (left < 1) return undefined;
      try {
        const { Messages } = await this.#client.send(
          new this.#sdk.ReceiveMessageCommand({
            QueueUrl: url,
            WaitTimeSeconds: left,
            MaxNumberOfMessages: 1,
          }),
          { abortSignal: signal },
        );
        const [message] = Messages ?? [];
        if (message?.ReceiptHandle === undefined) continue;
        await this.#client.send(
          new this.#sdk.DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }),
        );
        const ring = parseRing(message.Body ?? '');
        if (ring !== undefined) return ring;
      } catch (error) {
        if (signal.aborted) return undefined;
        // Whatever it is, the caller looks for itself when its time is over.
        this.#absent.set(url, Date.now() + absentMs);
        if (!(error instanceof Error)) throw error;
      }
    }
    return undefined;
  }

  /** After what is being rung. */
  async close(): Promise<void> {
    await Promise.all(this.#ringing);
    this.#client.destroy();
  }
}
