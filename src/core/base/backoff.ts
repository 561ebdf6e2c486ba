import { limits } from './limits.ts';

/** Full jitter over an exponential: `random` is in [0, 1). The first retry waits up to one base. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(limits.backoffMsMax, limits.backoffMsBase * 2 ** Math.min(attempt - 1, 20));
  return Math.floor(ceiling * random);
}
