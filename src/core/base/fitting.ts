import { limits } from './limits.ts';

/** As many as a packet has room for. */
export function fitting<T>(items: readonly T[]): T[] {
  const fit: T[] = [];
  let bytes = 0;
  for (const item of items.slice(0, limits.factItemsMax)) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > limits.factBytesMax) break;
    fit.push(item);
  }
  return fit;
}
