/**
 * A hint is one object, named by its address, task and offer, so that it is there once. It counts while the head of its task is in the epoch that it
 * names: an append that changes hints ends all earlier ones by that, whatever becomes of their objects.
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

function hintKey({ to, task, offer }: Pick<Hint, 'to' | 'task' | 'offer'>): string {
  return `${hintPrefix(to)}${task}.${offer}`;
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
): Promise<{ readonly won: boolean; readonly found: KnownHint | undefined }> {
  const { to, task, offer, due, epoch, sent, deliveries, receipt } = record;
  const whole: HintRecord = {
    v: 1,
    to,
    task,
    offer,
    due,
    epoch,
    sent,
    deliveries,
    receipt,
    writer: newWriter(),
  };
  const outcome = await bucket.swap(key, {
    base,
    bytes: Buffer.from(JSON.stringify(whole)),
    isMine: (bytes) => parseHint(key, bytes).writer === whole.writer,
  });
  if (outcome.won) return { won: true, found: { key, etag: outcome.etag, record: whole } };
  const { found } = outcome;
  return { won: false, found: found && { key, etag: found.etag, record: parseHint(key, found.bytes) } };
}

/** Unless one of this epoch, or of a later one, is there. Says whether it did. */
export async function placeHint(bucket: Bucket, hint: Hint, epoch: number): Promise<boolean> {
  const key = hintKey(hint);
  let base: string | null = null;
  for (;;) {
    const record = { ...hint, epoch, sent: nextStamp(), deliveries: 0, receipt: '' };
    const { won, found } = await swapHint(bucket, key, base, record);
    if (won || (found !== undefined && found.record.epoch >= epoch)) return won;
    base = found?.etag ?? null;
  }
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
      const { record } = await readHead(bucket, hint.task);
      // Recovery sends every standing hint again: a look costs a twelfth of a write. Only what was lost is rung.
      const there = await readHint(bucket, hintKey(hint));
      if (there !== undefined && there.record.epoch >= record.epoch) return;
      if (await placeHint(bucket, hint, record.epoch)) ring(hint);
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
          receipt: newWriter(),
        };
        const { won } = await swapHint(bucket, key, etag, hidden);
        if (!won) continue;
        const { to, task, offer, due, receipt, deliveries } = hidden;
        came.push({ to, task, offer, due, receipt, deliveries });
      }
      return came;
    },
    async settle(delivery) {
      const found = await readHint(bucket, hintKey(delivery));
      if (found?.record.receipt === delivery.receipt) await bucket.removeIf(found.key, found.etag);
    },
  };
}
