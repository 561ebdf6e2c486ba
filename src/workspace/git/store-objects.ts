import { limits } from '../../core/base/limits.ts';
import type { Content } from '../../core/tree/workspace.ts';
import type { Budget } from '../budget.ts';
import { isBinary } from '../read-file.ts';
import { looseObject, objectContents, objectSizes, type ObjectPlace } from './objects.ts';

export interface WantedObject {
  readonly path: string;
  readonly kind: 'index' | 'conflict';
}

/** Stores the contents of objects, a bounded heap of them at a time, and returns them by object id. */
export async function storeObjects(
  place: ObjectPlace,
  wanted: ReadonlyMap<string, WantedObject>,
  budget: Budget,
): Promise<Map<string, Content>> {
  const stored = new Map<string, Content>();
  const keep = async (oid: string, bytes: Buffer): Promise<void> => {
    const want = wanted.get(oid);
    const content = want && (await budget.keep(bytes, { ...want, binary: isBinary(bytes) }));
    if (content !== undefined) stored.set(oid, content);
  };
  const asked: (readonly [oid: string, WantedObject])[] = [];
  for (const [oid, want] of wanted) {
    const bytes = looseObject(place, oid, { type: 'blob', bytesMax: limits.captureFileBytesMax });
    if (bytes === undefined) asked.push([oid, want]);
    else await keep(oid, bytes);
  }
  const sizes = await objectSizes(
    place,
    asked.map(([oid]) => oid),
  );
  let heap: string[] = [];
  let heapBytes = 0;
  const empty = async (): Promise<void> => {
    for (const [oid, bytes] of await objectContents(place, heap, heapBytes)) await keep(oid, bytes);
    heap = [];
    heapBytes = 0;
  };
  for (const [oid, { path }] of asked) {
    const size = sizes.get(oid);
    if (size === undefined) budget.lose(path, 'unreadable', 0);
    else if (size > limits.captureFileBytesMax) budget.lose(path, 'too-large', size);
    else {
      if (heapBytes + size > limits.captureFileBytesMax) await empty();
      heap.push(oid);
      heapBytes += size;
    }
  }
  await empty();
  return stored;
}
