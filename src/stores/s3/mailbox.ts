/**
 * A hint is one object, named by its address, task, offer and epoch, so that it is there once. It counts while the head of its task is in that
 * epoch: an append that changes hints ends all earlier ones by that, whatever becomes of their objects.
 */
import type { Address } from '../../core/task/address.ts';
import type { Delivery, Hint, Mailbox } from '../../ports/mailbox.ts';
import { inParallel, type Bucket, type ListedObject } from './bucket.ts';
import { damagedObject } from './errors.ts';
import { readHead } from './head.ts';
import { hintPrefix, newWriter, nextStamp } from './keys.ts';

interface HintRecord extends Hint {
  readonly v: 1;
  readonly epoch: number;
  readonly sent: number;
  readonly deliveries: number;
  readonly receipt: string;
  readonly writer: string;
}

interface KnownHint {
  readonly key: string;
  readonly etag: string;
  readonly record: HintRecord;
}

function hintKey({ to, task, offer }: Pick<Hint, 'to' | 'task' | 'offer'>, epoch: number | string): string {
  return `${hintPrefix(to)}${task}.${offer}.${epoch}`;
}

/** Which tasks have a hint, and of which epoch, as `TASK.EPOCH`: asked by their names alone. */
export async function hintedEpochs(bucket: Bucket): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { key } of bucket.all('m/')) {
    const [task, , epoch] = key.slice(key.lastIndexOf('/') + 1).split('.');
    found.add(`${task}.${epoch}`);
  }
  return found;
}

function parseHint(key: string, bytes: Uint8Array): HintRecord {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as HintRecord;
  } catch (cause) {
    throw damagedObject(key, cause);
  }
}

async function readHint(bucket: Bucket, key: string): Promise<KnownHint | undefined> {
  const found = await bucket.get(key);
  return found && { key, etag: found.etag, record: parseHint(key, found.bytes) };
}

async function swapHint(
  bucket: Bucket,
  key: string,
  base: string | null,
  record: Omit<HintRecord, 'v' | 'writer'>,
): Promise<boolean> {
  const whole: HintRecord = { ...record, v: 1, writer: newWriter() };
  const outcome = await bucket.swap(key, {
    base,
    bytes: Buffer.from(JSON.stringify(whole)),
    isMine: (bytes) => parseHint(key, bytes).writer === whole.writer,
  });
  return outcome.won;
}

/** Unless it is there. Says whether it did. */
export async function placeHint(bucket: Bucket, hint: Hint, epoch: number): Promise<boolean> {
  const record = { ...hint, epoch, sent: nextStamp(), deliveries: 0, receipt: '' };
  return await swapHint(bucket, hintKey(hint, epoch), null, record);
}

/** Hints by their ETag, as this connection last read them: an object that did not change is not read again. */
const rememberedMax = 2000;

export function s3Mailbox(bucket: Bucket, ring: (hint: Hint) => void): Mailbox {
  const read = new Map<string, KnownHint>();

  const known = async ({ key, etag }: ListedObject): Promise<KnownHint | undefined> => {
    const remembered = read.get(key);
    if (remembered?.etag === etag) return remembered;
    const found = await readHint(bucket, key);
    if (read.size >= rememberedMax) read.clear();
    if (found !== undefined) read.set(key, found);
    return found;
  };

  const waiting = async (addresses: readonly Address[]): Promise<KnownHint[]> => {
    const listed = await inParallel([...new Set(addresses)], async (address) => {
      const objects: ListedObject[] = [];
      for await (const object of bucket.all(hintPrefix(address))) objects.push(object);
      return objects;
    });
    const hints = await inParallel(listed.flat(), known);
    return hints.filter((hint) => hint !== undefined).toSorted((a, b) => a.record.sent - b.record.sent);
  };

  return {
    async send(hint) {
      const { epoch } = (await readHead(bucket, hint.task)).record;
      // Only what was lost is rung.
      if (await placeHint(bucket, hint, epoch)) ring(hint);
    },
    async receive(addresses, { now, hideMs, limit }) {
      const came: Delivery[] = [];
      for (const hint of await waiting(addresses)) {
        if (came.length >= limit) break;
        const { key, etag, record } = hint;
        if (record.due > now) continue;
        const { epoch } = (await readHead(bucket, record.task)).record;
        if (epoch !== record.epoch) {
          if (epoch > record.epoch) await bucket.removeIf(key, etag);
          continue;
        }
        const hidden = {
          ...record,
          due: now + hideMs,
          deliveries: record.deliveries + 1,
          receipt: `${epoch}.${newWriter()}`,
        };
        if (!(await swapHint(bucket, key, etag, hidden))) continue;
        const { to, task, offer, due, receipt, deliveries } = hidden;
        came.push({ to, task, offer, due, receipt, deliveries });
      }
      return came;
    },
    async settle(delivery) {
      const [epoch = ''] = delivery.receipt.split('.');
      const found = await readHint(bucket, hintKey(delivery, epoch));
      if (found?.record.receipt === delivery.receipt) await bucket.removeIf(found.key, found.etag);
    },
  };
}
