/** What a server must be, and what users are told of one that is not. */
import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { StaffettaError } from '../../src/core/base/error.ts';
import { numbers } from '../../src/conformance/sample.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { urlAddress, type StoreAddress } from '../../src/ports/store-address.ts';
import { notProven } from '../faults/not-proven.ts';
import { ada, bea, HandClock, stage } from '../support/world.ts';
import { credentials, withCredentials } from './credentials.ts';
import { untrustedServer } from '../support/untrusted.ts';
import { S3Double, type Harm } from './double.ts';

let double: S3Double;
let moto: { readonly process: ChildProcess; readonly endpoint: string } | undefined;
withCredentials();

/** A server that others wrote; not every machine has it. */
async function startMoto(): Promise<typeof moto> {
  const child = spawn('python3.11', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on('error', () => resolve(undefined));
  child.on('exit', () => resolve(undefined));
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
    const endpoint = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    if (endpoint !== undefined) resolve(endpoint);
  });
  const endpoint = await promise;
  return endpoint === undefined ? undefined : { process: child, endpoint };
}

beforeAll(async () => {
  double = await S3Double.start('relay', 'closed', 'clocks');
  moto = await startMoto();
}, 60_000);
afterAll(() => {
  double.stop();
  moto?.process.kill();
});

type Outcome = string | number;

/** The answer to a request: its status, and what names it where it is no success. */
async function answer(
  sent: Promise<{ readonly $metadata: { readonly httpStatusCode?: number } }>,
): Promise<Outcome> {
  try {
    return (await sent).$metadata.httpStatusCode ?? 0;
  } catch (error) {
    const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
    return $metadata?.httpStatusCode ?? String(error);
  }
}

/** What the store relies on, asked of a server with the SDK alone. */
async function relied(endpoint: string): Promise<Record<string, unknown>> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 });
  const Bucket = 'checks';
  const put = async (Key: string, Body: string, condition: object = {}): Promise<Outcome> =>
    await answer(client.send(new PutObjectCommand({ Bucket, Key, Body, ...condition })));
  const etagOf = async (Key: string): Promise<string> =>
    (await client.send(new GetObjectCommand({ Bucket, Key }))).ETag ?? '';
  await answer(client.send(new CreateBucketCommand({ Bucket })));
  const found: Record<string, unknown> = {};
  found['first put where none may be'] = await put('p/a', 'one', { IfNoneMatch: '*' });
  found['second put where none may be'] = await put('p/a', 'two', { IfNoneMatch: '*' });
  const first = await etagOf('p/a');
  found['put on the ETag'] = await put('p/a', 'two', { IfMatch: first });
  found['put on a stale ETag'] = await put('p/a', 'three', { IfMatch: first });
  found['put on an ETag of nothing'] = await put('p/none', 'three', { IfMatch: first });
  found['delete on a stale ETag'] = await answer(
    client.send(new DeleteObjectCommand({ Bucket, Key: 'p/a', IfMatch: first })),
  );
  found['delete on the ETag'] = await answer(
    client.send(new DeleteObjectCommand({ Bucket, Key: 'p/a', IfMatch: await etagOf('p/a') })),
  );
  found['delete of nothing'] = await answer(client.send(new DeleteObjectCommand({ Bucket, Key: 'p/a' })));
  found['get of nothing'] = await answer(client.send(new GetObjectCommand({ Bucket, Key: 'p/a' })));
  for (const key of ['q/b', 'q/A', 'q/a', 'q/a.1', 'q/a/1', 'r/z']) await put(key, key);
  const page = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'q/', MaxKeys: 3, StartAfter: 'q/A' }),
  );
  found['a page of a listing'] = [page.Contents?.map(({ Key }) => Key), page.IsTruncated];
  const range = await client.send(new GetObjectCommand({ Bucket, Key: 'q/b', Range: 'bytes=0-0' }));
  found['the beginning of an object'] = [
    await range.Body?.transformToString(),
    range.ETag === (await etagOf('q/b')),
  ];
  for (const base of ['none', 'start']) {
    const condition = base === 'none' ? { IfNoneMatch: '*' } : { IfMatch: await etagOf('race') };
    const outcomes = await Promise.all(
      numbers(16).map(async (n) => await put('race', `${base} ${n}`, condition)),
    );
    found[`winners of sixteen, from ${base}`] = outcomes.filter((outcome) => outcome === 200).length;
  }
  client.destroy();
  return found;
}

const kept = {
  'first put where none may be': 200,
  'second put where none may be': 412,
  'put on the ETag': 200,
  'put on a stale ETag': 412,
  'put on an ETag of nothing': 404,
  'delete on a stale ETag': 412,
  'delete on the ETag': 204,
  'delete of nothing': 204,
  'get of nothing': 404,
  'a page of a listing': [['q/a', 'q/a.1', 'q/a/1'], true],
  'the beginning of an object': ['q', true],
  'winners of sixteen, from none': 1,
  'winners of sixteen, from start': 1,
};

const racing = {
  'winners of sixteen, from none': expect.any(Number) as number,
  'winners of sixteen, from start': expect.any(Number) as number,
};

describe('what the store relies on', () => {
  test('is so at our own server', async () => {
    double.buckets.set('checks', new Map());
    expect(await relied(double.endpoint)).toEqual(kept);
  });

  test('is so at moto, as far as it is here', async () => {
    if (moto === undefined)
      notProven('our double of S3 answers as another server does', 'moto is not installed');
    const found = moto === undefined ? kept : await relied(moto.endpoint);
    // It answers from several threads, and looks without a lock: of sixteen at once two may win there.
    expect(found).toEqual({ ...kept, ...racing });
  }, 60_000);
});

function addressOf(bucket: string, more = ''): StoreAddress {
  return urlAddress(
    `aws://${bucket}?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}${more}`,
  );
}

async function refused(address: StoreAddress, harm?: Harm): Promise<StaffettaError> {
  double.harm = () => harm;
  try {
    const store = await openStore(address, { create: true });
    await store.close();
  } catch (error) {
    return error as StaffettaError;
  } finally {
    double.harm = () => undefined;
  }
  throw new Error('the store was opened');
}

describe('a store that cannot be used is refused, with a code and what to do', () => {
  test('a server that ignores conditions, whether the store is new or there', async () => {
    double.ignoresConditions = true;
    expect(await refused(addressOf('relay'))).toMatchObject({
      code: 'store-unsupported',
      message: expect.stringContaining('ignores conditions') as string,
    });
    double.ignoresConditions = false;
    await (await openStore(addressOf('relay'), { create: true })).close();
    double.ignoresConditions = true;
    expect(await refused(addressOf('relay'))).toMatchObject({ code: 'store-unsupported' });
    double.ignoresConditions = false;
    await (await openStore(addressOf('relay'))).close();
  });

  test.each([
    ['a bucket that is not there', 'nowhere', undefined, 'store-missing'],
    ['a wrong key', 'relay', { refuse: 'InvalidAccessKeyId' }, 'store-io'],
    ['a session that is over', 'relay', { refuse: 'ExpiredToken' }, 'store-io'],
    ['no permission to read', 'relay', { refuse: 'AccessDenied' }, 'store-io'],
    ['something that is no S3', 'relay', 'html', 'store-io'],
  ] as const)('%s', async (_, bucket, harm, code) => {
    const error = await refused(addressOf(bucket), harm);
    expect(error.code).toBe(code);
    expect(error.hint).toBeTruthy();
    expect(error.message).toContain(`aws://${bucket}`);
    expect(error.message).not.toContain('eserialization');
  });

  test('a certificate that nobody trusts, at once', async () => {
    using server = await untrustedServer();
    const error = await refused(
      urlAddress(`aws://relay/acme?region=us-east-1&endpoint=https://${server.host}`),
    );
    expect(error).toMatchObject({
      code: 'store-io',
      message: expect.stringContaining(
        'a certificate that is not trusted here: self-signed certificate.',
      ) as string,
    });
  });

  test('a queue that is not there wakes nobody, and doctor can say so', async () => {
    const queue = encodeURIComponent(`${double.endpoint}/000000000000/relay`);
    const store = await openStore(addressOf('relay', `&queue=${queue}`), { create: true });
    expect(await store.upkeep.facts()).toMatchObject({
      unheard: expect.stringContaining('/000000000000/relay-in.fifo cannot be asked') as string,
    });
    expect(await store.bell?.dead?.list()).toEqual([]);
    expect([store.pollMs, store.isTended]).toEqual([60_000, false]);
    await store.close();
  });

  test('a clock that is minutes off is seen, and ends no leases of others', async () => {
    const store = await openStore(addressOf('clocks'), { create: true });
    const clock = new HandClock();
    const { staffetta } = stage({ store, clock });
    const { task } = await staffetta.open({ goal: 'slug() folds accents' }, { as: ada });
    await staffetta.take({ as: ada, leaseMs: 60_000 });
    double.aheadMs = -300_000;
    clock.set(clock.now() + 120_000);
    expect(Math.abs(Number((await store.upkeep.facts())['clockAheadMs']) + 300_000)).toBeLessThan(30_000);
    expect(await staffetta.take({ as: bea })).toBeUndefined();
    expect(await staffetta.recover()).toMatchObject({ lapsed: [], doubted: [{ task, why: 'clock-off' }] });
    double.aheadMs = 0;
    await store.upkeep.facts();
    expect(await staffetta.recover()).toMatchObject({ lapsed: [task], doubted: [] });
    await store.close();
  });

  test('no permission to write: it can be read, and a change is refused as that', async () => {
    await (await openStore(addressOf('relay'), { create: true })).close();
    double.harm = ({ method }) => (method === 'PUT' ? { refuse: 'AccessDenied' } : undefined);
    const store = await openStore(addressOf('relay'));
    expect((await store.catalog.list({ limit: 5 })).cards).toEqual([]);
    expect(await store.upkeep.facts()).toMatchObject({ mayWrite: false });
    await expect(store.blobs.put(Buffer.from('x'), 1)).rejects.toMatchObject({
      code: 'store-readonly',
      details: { action: 's3:PutObject' },
    });
    double.harm = () => undefined;
    await store.close();
  });

  test('no credentials at all', async () => {
    const names = Object.keys(credentials).filter((name) => name !== 'AWS_EC2_METADATA_DISABLED');
    for (const name of names) Reflect.deleteProperty(process.env, name);
    const others = { AWS_CONFIG_FILE: '/nonexistent', AWS_SHARED_CREDENTIALS_FILE: '/nonexistent' };
    Object.assign(process.env, others);
    try {
      expect(await refused(addressOf('relay'))).toMatchObject({
        code: 'store-io',
        message: expect.stringContaining('no credentials') as string,
      });
    } finally {
      for (const name of Object.keys(others)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, credentials);
    }
  });

  test('no region, where the environment has none either', async () => {
    const { AWS_REGION: region } = process.env;
    Reflect.deleteProperty(process.env, 'AWS_REGION');
    Object.assign(process.env, { AWS_CONFIG_FILE: '/nonexistent' });
    expect(await refused(urlAddress('aws://relay/acme'))).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('region') as string,
    });
    Reflect.deleteProperty(process.env, 'AWS_CONFIG_FILE');
    if (region !== undefined) process.env['AWS_REGION'] = region;
  });

  test('no store yet, where none is to be made; one of the future or the past; an address that says something else', async () => {
    await expect(openStore(addressOf('closed'))).rejects.toMatchObject({ code: 'store-missing' });
    for (const [format, code] of [
      [1, 'store-unsupported'],
      [3, 'store-newer'],
    ] as const) {
      const bytes = Buffer.from(JSON.stringify({ format }));
      double.buckets.get('closed')?.set('meta/format', { bytes, etag: '"x"', changedAt: 0 });
      expect(await refused(addressOf('closed'))).toMatchObject({ code });
    }
    for (const text of [
      'aws://key:secret@work/x',
      'aws://Work_1/x',
      'aws://relay/x?regoin=eu',
      'aws://relay/x?endpoint=ftp://y',
      'aws://relay/a%20b',
    ])
      await expect(openStore(urlAddress(text)), `opening ${text}`).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.not.stringContaining('secret') as string,
      });
  });
});
