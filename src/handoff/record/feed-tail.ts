import type { Catalog } from '../../ports/journal.ts';

/** The position of the latest entry of a store. Positions have gaps, so it is searched for: does anything come after n? */
export async function feedTail(catalog: Catalog, from = 0): Promise<number> {
  const isAfter = async (position: number): Promise<boolean> => (await catalog.feed(position, 1)).length > 0;
  let low = from;
  let step = 1;
  while (await isAfter(low + step)) {
    low += step;
    step *= 2;
  }
  // Something may come after `low`, nothing after `low + step`.
  let high = low + step;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isAfter(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
