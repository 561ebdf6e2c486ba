import { urlAddress, type StoreAddress } from '../../ports/store-address.ts';
import { spoilBytes, type Scratch } from '../../ports/scratch.ts';
import { bucketPlace } from './address.ts';
import { openBucket } from './bucket.ts';
import { blobKey } from './keys.ts';
import { openS3Store } from './open.ts';

/** Below a prefix of its own in the same bucket, without its queue. */
export async function s3Scratch(address: StoreAddress): Promise<Scratch> {
  const url = new URL(address.reveal());
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/.conformance-${globalThis.crypto.randomUUID()}`;
  url.searchParams.delete('queue');
  const place = urlAddress(url.href);
  const bucket = await openBucket(bucketPlace(place), { store: place.shown });
  return {
    connect: async () => await openS3Store(place, { create: true }),
    dispose: async () => {
      for await (const { key } of bucket.all('')) await bucket.remove(key);
      bucket.close();
    },
    damage: async (digest, how) => {
      const found = await bucket.get(blobKey(digest));
      if (found === undefined) throw new Error(`There is no blob ${digest} to damage.`);
      await bucket.put(blobKey(digest), spoilBytes(found.bytes, how));
    },
  };
}
