import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    const until = Date.now() + ms;
    // Timers may fire a little early; the port promises not to.
    for (let left = ms; left > 0; left = until - Date.now()) await sleepOnce(left, signal);
    signal?.throwIfAborted();
  },
};

async function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(Math.ceil(ms), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

export const systemEntropy: Entropy = {
  bytes: (count) => randomBytes(count),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
