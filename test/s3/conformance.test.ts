/** Every case that a store must pass, over the wire with the SDK that users have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchFor } from '../../src/compose/scratch.ts';
import { allStoreCases, runConformance } from '../../src/conformance/index.ts';
import { urlAddress } from '../../src/ports/store-address.ts';
import { S3Double } from './double.ts';
import { sample } from '../support/sample.ts';
import { withCredentials } from './credentials.ts';

let double: S3Double;
withCredentials();

beforeAll(async () => {
  double = await S3Double.start('relay');
});
afterAll(() => double.stop());

const cases = sample('conformance of a store in S3', allStoreCases, { oneIn: 2, kindOf: ({ id }) => id });

test.each(cases)('$id $title', async (one) => {
  const { id, title } = one;
  const address = urlAddress(
    `aws://relay/acme?region=eu-central-1&endpoint=${encodeURIComponent(double.endpoint)}`,
  );
  expect(await runConformance(scratchFor(address), [one])).toEqual([{ id, title, ok: true }]);
  expect(double.buckets.get('relay')?.size, 'objects left behind').toBe(0);
});
