/**
 * The bell: queues of SQS, told apart by the end of their names. `QUEUE-in.fifo` is heard by the router, which passes a ring on to the queue of the agent, lane
 * or program that is next: `QUEUE-agent-NAME.fifo`, `QUEUE-lane-LANE.fifo`, `QUEUE-runtime-NAME.fifo`.
 *
 * A ring only hurries: nothing depends on it. The task is the message group, so rings of one task come in order; each ring has a deduplication id of its own, because SQS
 * swallows the same one for five minutes, also after it was received and deleted.
 *
 * A message is deleted when its offer is accepted, here or by somebody else. One that was heard while nobody could take the work is heard again half a minute later;
 * after five times SQS moves it to `QUEUE-dead.fifo`, where people find it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../core/base/defined.ts';
import type * as SqsSdk from '@aws-sdk/client-sqs';
import type { Digest } from '../../core/journal/digest.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Address } from '../../core/task/address.ts';
import type { DeadRing } from '../../ports/bell.ts';
import type { BucketPlace } from './address.ts';
import { answerWords } from './errors.ts';
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
/** So long a queue that is not there, or does not answer, is not asked again. */
const absentMs = 60_000;
/** What SQS gives at once. */
const messagesMax = 10;
/** Dead letters that are being moved are hidden from others for so long. */
const movingSeconds = 30;

export function queueUrl(queue: string, to: Address | 'in' | 'dead'): string {
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

export interface BellOptions extends Pick<BucketPlace, 'region'> {
  readonly stands?: (ring: Ring) => Promise<boolean>;
}

export async function openBell(queue: string, options: BellOptions): Promise<SqsBell> {
  const sdk = await loadSdk();
  const { region, stands = async () => true } = options;
  // The queue is asked where its address says, at Amazon or at an emulator.
  const client = new sdk.SQSClient({
    endpoint: new URL(queue).origin,
    requestHandler: { connectionTimeout: 5000, requestTimeout: (waitSecondsMax + 10) * 1000 },
    ...defined({ region }),
  });
  return new SqsBell(sdk, client, { queue, stands });
}

interface HeardRing {
  readonly ring: Ring;
  readonly url: string;
  readonly receipt: string;
}

export class SqsBell {
  readonly #sdk: typeof SqsSdk;
  readonly #client: SqsSdk.SQSClient;
  readonly #queue: string;
  readonly #under = new Set<Promise<unknown>>();
  readonly #answers = new Map<string, boolean>();
  readonly #heard = new Map<TaskId, HeardRing>();
  /** Whether an offer can still be taken. Asked of a ring that led to nothing. */
  readonly #stands: (ring: Ring) => Promise<boolean>;

  constructor(
    sdk: typeof SqsSdk,
    client: SqsSdk.SQSClient,
    { queue, stands }: { readonly queue: string; readonly stands: (ring: Ring) => Promise<boolean> },
  ) {
    this.#sdk = sdk;
    this.#client = client;
    this.#queue = queue;
    this.#stands = stands;
  }

  /** Every queue that was listened at answers: a waiter can rely on being told. */
  get isHeard(): boolean {
    return this.#answers.size > 0 && [...this.#answers.values()].every(Boolean);
  }

  /** Neither fails nor delays: the writer that rings has more important things to do. */
  ring(ring: Ring): void {
    this.#aside(this.send('in', ring));
  }

  /** The offer that it rang for was accepted. */
  settle(task: TaskId): void {
    const heard = this.#heard.get(task);
    if (heard !== undefined) this.#aside(this.#delete(heard));
  }

  #aside(work: Promise<unknown>): void {
    const under = work.catch(() => {}).finally(() => this.#under.delete(under));
    this.#under.add(under);
  }

  async #delete({ ring, url, receipt }: HeardRing): Promise<void> {
    this.#heard.delete(ring.task);
    await this.#client.send(new this.#sdk.DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }));
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
    await this.#lookBack();
    const over = new AbortController();
    // A timer that keeps the process alive: the waiter has more to do.
    const timer = setTimeout(() => over.abort(), ms);
    const all = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    const urls = addresses.map((address) => queueUrl(this.#queue, address));
    const listening = urls.map(async (url) => {
      const ring = await this.#listen(url, Date.now() + ms, all);
      if (ring !== undefined) over.abort();
      return ring;
    });
    const rings = await Promise.all(listening);
    clearTimeout(timer);
    return rings.find((ring) => ring !== undefined);
  }

  /** Rings that were heard before this wait: what is over is deleted, the others come again by themselves. */
  async #lookBack(): Promise<void> {
    for (const heard of this.#heard.values()) {
      this.#heard.delete(heard.ring.task);
      const stands = await this.#stands(heard.ring).catch(() => true);
      if (!stands) this.#aside(this.#delete(heard));
    }
  }

  async #listen(url: string, until: number, signal: AbortSignal): Promise<Ring | undefined> {
    while (!signal.aborted) {
      // Whether a queue is there is asked first, and shortly.
      const longest = this.#answers.get(url) === true ? waitSecondsMax : 1;
      const left = Math.min(longest, Math.floor((until - Date.now()) / 1000));
      if (left < 1) await pauseFor(absentMs, signal);
      else
        try {
          const [message] = await this.#receive(url, { WaitTimeSeconds: left }, signal);
          this.#answers.set(url, true);
          const ring = parseRing(message?.Body ?? '');
          if (ring === undefined || message?.ReceiptHandle === undefined) continue;
          this.#heard.set(ring.task, { ring, url, receipt: message.ReceiptHandle });
          return ring;
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          // Whatever it is, the caller looks for itself when its time is over.
          if (!signal.aborted) this.#answers.set(url, false);
          await pauseFor(absentMs, signal);
        }
    }
    return undefined;
  }

  async #receive(
    QueueUrl: string,
    options: Omit<SqsSdk.ReceiveMessageCommandInput, 'QueueUrl'>,
    abortSignal?: AbortSignal,
  ): Promise<readonly SqsSdk.Message[]> {
    const command = new this.#sdk.ReceiveMessageCommand({ QueueUrl, ...options });
    const { Messages } = await this.#client.send(command, defined({ abortSignal }));
    return Messages ?? [];
  }

  /** The oldest of them, looked at without being taken. */
  async deadRings(): Promise<readonly DeadRing[]> {
    const url = queueUrl(this.#queue, 'dead');
    const messages = await this.#receive(url, { MaxNumberOfMessages: messagesMax, VisibilityTimeout: 0 });
    const rings = messages.flatMap(({ Body }) => parseRing(Body ?? '') ?? []);
    return [...new Map(rings.map(({ task, offer }) => [`${task}.${offer}`, { task, offer }])).values()];
  }

  /** Rings again for a task, and takes its dead letters away. False: there was none among those that can be seen. */
  async redrive(task: TaskId): Promise<boolean> {
    const url = queueUrl(this.#queue, 'dead');
    const messages = await this.#receive(url, {
      MaxNumberOfMessages: messagesMax,
      VisibilityTimeout: movingSeconds,
    });
    let isRung = false;
    for (const { Body, ReceiptHandle } of messages) {
      const ring = parseRing(Body ?? '');
      const place = { QueueUrl: url, ReceiptHandle };
      if (ring?.task === task) {
        // Deleted after it was rung: in between it may be there twice, never not at all.
        if (!isRung) await this.send('in', ring);
        isRung = true;
        await this.#client.send(new this.#sdk.DeleteMessageCommand(place));
      } else
        await this.#client.send(
          new this.#sdk.ChangeMessageVisibilityCommand({ ...place, VisibilityTimeout: 0 }),
        );
    }
    return isRung;
  }

  /** How many rings wait before the router; or why nobody can say. */
  async standing(): Promise<{ readonly waiting: number } | { readonly wrong: string }> {
    const url = queueUrl(this.#queue, 'in');
    try {
      const { Attributes } = await this.#client.send(
        new this.#sdk.GetQueueAttributesCommand({
          QueueUrl: url,
          AttributeNames: ['ApproximateNumberOfMessages'],
        }),
      );
      return { waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0) };
    } catch (error) {
      const isAbsent = (error as Error).name === 'QueueDoesNotExist';
      return {
        wrong: isAbsent ? `there is no queue ${url}` : `${url} cannot be asked: ${answerWords(error)}`,
      };
    }
  }

  /** After what is being rung. */
  async close(): Promise<void> {
    await Promise.all(this.#under);
    this.#client.destroy();
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
