/** Journals in PostgreSQL, content in a bucket: the contract as for any other store, and no two that disagree about the place. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { scratchFor } from '../../src/compose/scratch.ts';
import { allStoreCases, runConformance } from '../../src/conformance/index.ts';
import { noise, sampleAppend, sampleTask, appendAll } from '../../src/conformance/sample.ts';
import { storeAddress } from '../../src/home/locate.ts';
import { S3Double } from '../s3/double.ts';
import { withCredentials } from '../s3/credentials.ts';
import { postgresSpace, postgresUrl } from '../support/postgres.ts';
import { sample } from '../support/sample.ts';

let double: S3Double;
withCredentials();
beforeAll(async () => {
  double = await S3Double.start('content');
});
afterAll(() => double.stop());

function withBlobs(given: string): string {
  const url = new URL(given);
  const place = `s3://content/acme?region=eu-central-1&endpoint=${encodeURIComponent(double.endpoint)}`;
  url.searchParams.set('blobs', place);
  return url.href;
}

test('the contract holds with content in a bucket, and nothing is left there', async () => {
  // What content has a part in; the rest is as without.
  const cases = allStoreCases.filter(({ id }) => /^(BS|JS[1-5]$)/.test(id));
  const some = sample('cases with content in a bucket', cases, { oneIn: 6 });
  const report = await runConformance(scratchFor(storeAddress(withBlobs(await postgresUrl()))), some);
  expect(report.filter(({ ok }) => !ok)).toEqual([]);
  expect(double.buckets.get('content')?.size, 'objects left behind').toBe(0);
});

test('no content is in the database, and a caller that names another place for it is refused', async () => {
  await using space = await postgresSpace();
  const far = withBlobs(space.url);
  // One that is misspelt begins no store that says for good that its content lies there.
  const misspelt = openStore(storeAddress(far.replace('content', 'kontent')), { create: true });
  await expect(misspelt).rejects.toMatchObject({ code: 'store-missing' });
  await expect(openStore(storeAddress(far))).rejects.toMatchObject({ code: 'store-missing' });
  const store = await openStore(storeAddress(far), { create: true });
  await appendAll(store, sampleAppend(sampleTask(1), 0, { blobs: [noise(5000, 1)] }));
  expect(await store.upkeep.facts()).toMatchObject({ blobs: 0, entries: 1 });
  expect(double.requests.some(({ method, key }) => method === 'PUT' && key.includes('/b/'))).toBe(true);
  await store.close();
  const other = far.replace('acme', 'other');
  for (const wrong of [space.url, other])
    await expect(openStore(storeAddress(wrong))).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(openStore(storeAddress(far.replace('s3%3A', 'ftp%3A')))).rejects.toMatchObject({
    code: 'invalid-input',
  });
  double.ignoresConditions = true;
  await expect(openStore(storeAddress(far))).rejects.toMatchObject({ code: 'store-unsupported' });
  double.ignoresConditions = false;
});
