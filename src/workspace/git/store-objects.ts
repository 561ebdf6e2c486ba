import { limits } from '../../core/base/limits.ts';
import type { Content } from '../../core/tree/workspace.ts';
import type { Budget } from '../budget.ts';
import { isBinary } from '../read-file.ts';
import { objectContents, objectSizes } from './objects.ts';
import type { GitPlace } from './spawn.ts';

export interface WantedObject {
  readonly path: string;
  readonly kind: 'index' | 'conflict';
}

/** Stores the contents of objects, a bounded heap of them at a time, and returns them by object id. */
export async function storeObjects(
  place: GitPlace,
  wanted: ReadonlyMap<string, WantedObject>,
  budget: Budget,
): Promise<Map<string, Content>> {
  const stored = new Map<string, Content>();
  const sizes = await objectSizes(place, [...wanted.keys()]);
  let heap: string[] = [];
  let heapBytes = 0;
  const empty = async (): Promise<void> => {
    for (const [oid, bytes] of await objectContents(place, heap, heapBytes)) {
      const want = wanted.get(oid);
      const content = want && (await budget.keep(bytes, { ...want, binary: isBinary(bytes) }));
      if (content !== undefined) stored.set(oid, content);
    }
    heap = [];
    heapBytes = 0;
  };
  for (const [oid, { path }] of wanted) {
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
