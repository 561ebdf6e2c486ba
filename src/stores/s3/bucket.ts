/**
 * Objects by their key, as S3 keeps them: read after write, listed in order of key, written under a condition.
 *
 * What may be repeated (reads, lists, deletions, writes without a condition) is repeated here until an answer comes. A write under a
 * condition is not: after a lost answer its repetition is refused by what it wrote itself. So `swap` sends it once, and where
 * the answer does not say "stored" it looks at the object: that decides.
 */
import { defined } from '../../core/base/defined.ts';
import type * as S3Sdk from '@aws-sdk/client-s3';
import { StaffettaError } from '../../core/base/error.ts';
import type { BucketPlace } from './address.ts';
import { failureOf, translated, unknownChange } from './errors.ts';

export interface FoundObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export interface ListedObject {
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
  readonly changedAt: number;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  readonly isCut: boolean;
}

export type Swapped =
  | { readonly won: true; readonly etag: string }
  | { readonly won: false; readonly found: FoundObject | undefined };

export interface Swap {
  /** What it must be: an object of that ETag, or none for null. */
  readonly base: string | null;
  readonly bytes: Uint8Array;
  /** Whether an object is the one that this swap wrote, or was made from it. */
  readonly isMine: (found: Uint8Array) => boolean;
  /** So many bytes of the object are enough to tell. */
  readonly enough?: number;
}

export interface BucketOptions {
  readonly store: string;
  /** The first pause before a request is repeated; each further one may be twice as long. */
  readonly pauseMs?: number;
  /** An answer that takes longer is not waited for. */
  readonly answerMs?: number;
}

const attemptsMax = 6;
const pauseMsMax = 2000;
/** Of one answer of S3 to a listing. */
const listedMax = 1000;

type Sdk = typeof S3Sdk;

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new StaffettaError('store-unsupported', 'A store in S3 needs the package @aws-sdk/client-s3.', {
      cause,
      hint: 'Install it beside staffetta: npm install @aws-sdk/client-s3',
    });
  }
}

export async function openBucket(place: BucketPlace, options: BucketOptions): Promise<Bucket> {
  const sdk = await loadSdk();
  const client = new sdk.S3Client({
    // The loop here has to know of every attempt.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: options.answerMs ?? 30_000,
      throwOnRequestTimeout: true,
    },
    ...defined({ region: place.region }),
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint, forcePathStyle: true }),
  });
  await refuseNowhere(client);
  const bucket = new Bucket(sdk, client, place, options);
  client.middlewareStack.add(
    (next) => async (sent) => {
      const asked = Date.now();
      const answered = await next(sent);
      bucket.noteTime((answered.response as { headers?: Record<string, string> }).headers?.['date'], asked);
      return answered;
    },
    { step: 'deserialize', name: 'noteTime' },
  );
  return bucket;
}

async function refuseNowhere(client: S3Sdk.S3Client): Promise<void> {
  try {
    await client.config.region();
  } catch (cause) {
    client.destroy();
    throw new StaffettaError('invalid-input', 'Nothing says in which region the bucket is.', {
      cause,
      hint: 'Name it: --store aws://bucket/prefix?region=eu-central-1, or set AWS_REGION.',
    });
  }
}

export class Bucket {
  readonly store: string;
  readonly #sdk: Sdk;
  readonly #client: S3Sdk.S3Client;
  readonly #place: BucketPlace;
  readonly #pauseMs: number;
  #closed = false;
  /** How far the server's clock is ahead of this machine's, to about a second; 0 until it has answered. */
  clockAheadMs = 0;

  constructor(sdk: Sdk, client: S3Sdk.S3Client, place: BucketPlace, options: BucketOptions) {
    this.#sdk = sdk;
    this.#client = client;
    this.#place = place;
    this.#pauseMs = options.pauseMs ?? 50;
    this.store = options.store;
  }

  close(): void {
    this.#closed = true;
    this.#client.destroy();
  }

  /** An answer has the second in which it was made. */
  noteTime(date: string | undefined, asked: number): void {
    const said = Date.parse(date ?? '');
    if (!Number.isNaN(said)) this.clockAheadMs = Math.round(said + 500 - (asked + Date.now()) / 2);
  }

  /** With `bytesMax` only the beginning. */
  async get(key: string, bytesMax?: number): Promise<FoundObject | undefined> {
    const command = new this.#sdk.GetObjectCommand({
      ...this.#named(key),
      ...(bytesMax === undefined ? {} : { Range: `bytes=0-${bytesMax - 1}` }),
    });
    return await this.#insist('s3:GetObject', async () => {
      const { Body, ETag } = await this.#client.send(command);
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), etag: ETag ?? '' };
    });
  }

  /** Without a condition: for objects whose key says all there is to say. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#insist('s3:PutObject', async () => {
      await this.#client.send(new this.#sdk.PutObjectCommand({ ...this.#named(key), Body: bytes }));
    });
  }

  async swap(key: string, { base, bytes, isMine, enough }: Swap): Promise<Swapped> {
    let cause: unknown;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (attempt > 0) await this.#pause(attempt);
      try {
        return { won: true, etag: await this.#putIf(key, bytes, base) };
      } catch (error) {
        if (failureOf(error) === 'final') throw translated(error, this.#asked('s3:PutObject'));
        cause = error;
      }
      const found = await this.get(key, enough);
      if (found !== undefined && isMine(found.bytes)) return { won: true, etag: found.etag };
      if ((found?.etag ?? null) !== base) return { won: false, found };
    }
    throw unknownChange(this.store, cause);
  }

  async #putIf(key: string, bytes: Uint8Array, base: string | null): Promise<string> {
    const condition = base === null ? { IfNoneMatch: '*' } : { IfMatch: base };
    this.#refuseClosed();
    const { ETag } = await this.#client.send(
      new this.#sdk.PutObjectCommand({ ...this.#named(key), Body: bytes, ...condition }),
    );
    return ETag ?? '';
  }

  async remove(key: string): Promise<void> {
    await this.#insist('s3:DeleteObject', async () => {
      await this.#client.send(new this.#sdk.DeleteObjectCommand(this.#named(key)));
    });
  }

  /** Only the object of that ETag. False: it is another one by now, or gone. */
  async removeIf(key: string, etag: string): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      if (attempt > 0) await this.#pause(attempt);
      this.#refuseClosed();
      try {
        await this.#client.send(new this.#sdk.DeleteObjectCommand({ ...this.#named(key), IfMatch: etag }));
        return true;
      } catch (error) {
        const failure = failureOf(error);
        // After a lost answer, what is gone was taken away by this call.
        if (failure === 'absent') return attempt > 0;
        if (failure === 'final') throw translated(error, this.#asked('s3:DeleteObject'));
        if (failure === 'refused') {
          const found = await this.get(key, 1);
          if (found?.etag !== etag) return false;
        }
        if (attempt + 1 >= attemptsMax) throw unknownChange(this.store, error);
      }
    }
  }

  /** In ascending order of key, of the bytes of UTF-8. */
  async list(prefix: string, after = '', limit = listedMax): Promise<ListedPage> {
    const whole = this.#place.prefix;
    const command = new this.#sdk.ListObjectsV2Command({
      Bucket: this.#place.bucket,
      Prefix: `${whole}${prefix}`,
      MaxKeys: Math.min(limit, listedMax),
      ...(after === '' ? {} : { StartAfter: `${whole}${after}` }),
    });
    const answer = await this.#insist('s3:ListBucket', async () => await this.#client.send(command));
    const objects = (answer?.Contents ?? []).map((one) => ({
      key: (one.Key ?? '').slice(whole.length),
      etag: one.ETag ?? '',
      bytes: one.Size ?? 0,
      changedAt: one.LastModified?.getTime() ?? 0,
    }));
    return { objects, isCut: answer?.IsTruncated === true };
  }

  /** All of them, page by page. */
  async *all(prefix: string, after = ''): AsyncGenerator<ListedObject> {
    for (let from = after; ;) {
      const { objects, isCut } = await this.list(prefix, from);
      yield* objects;
      const last = objects.at(-1);
      if (!isCut || last === undefined) return;
      from = last.key;
    }
  }

  #named(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${key}` };
  }

  #asked(action: string): { readonly action: string; readonly store: string } {
    return { action, store: this.store };
  }

  #refuseClosed(): void {
    if (this.#closed)
      throw new StaffettaError('store-closed', 'The store is closed.', { hint: 'Open it again.' });
  }

  /** Until there is an answer; undefined where there is no such object. */
  async #insist<T>(action: string, send: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      this.#refuseClosed();
      try {
        return await send();
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'absent') return undefined;
        if (failure === 'final' || attempt >= attemptsMax) throw translated(error, this.#asked(action));
        await this.#pause(attempt);
      }
    }
  }

  /** By chance, so that those who met once do not meet again. */
  async #pause(attempt: number): Promise<void> {
    const ms = Math.min(this.#pauseMs * 2 ** attempt, pauseMsMax) * Math.random();
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, ms);
    await promise;
  }
}

/** At most so many requests at a time. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at] as T;
      results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelMax, items.length) }, lane));
  return results;
}

const parallelMax = 24;
