import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '../core/base/defined.ts';
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

/** A timer counts to no more than this; a longer sleep is several. */
const timerMsMax = 2 ** 31 - 1;

async function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(Math.min(Math.ceil(ms), timerMsMax), undefined, defined({ signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** The global is loaded when it is first touched, which most commands never do. */
export const systemEntropy: Entropy = {
  bytes(count) {
    const bytes = new Uint8Array(count);
    // It fills at most 64 KiB a call.
    for (let at = 0; at < count; at += 65_536)
      globalThis.crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    return bytes;
  },
  fraction: () => (globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
};
