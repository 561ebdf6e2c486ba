import { systemClock, systemEntropy } from '../../src/home/system.ts';
import type { Clock, Entropy } from '../../src/ports/index.ts';

export interface Broken<On> {
  readonly breaks: string;
  readonly how: string;
  readonly open: () => On;
}

/** Time that passes only in sleep, by as much as the given function makes of it. */
function dreaming(passes: (ms: number) => number): Clock {
  let now = Date.UTC(2026, 0);
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      now += passes(ms);
    },
  };
}

export const brokenClocks: readonly Broken<Clock>[] = [
  {
    breaks: 'CL1',
    how: 'now is in seconds',
    open: () => ({ ...systemClock, now: () => Math.floor(Date.now() / 1000) }),
  },
  {
    breaks: 'CL1',
    how: 'now has fractions',
    open: () => ({ ...systemClock, now: () => Math.floor(Date.now()) + 0.25 }),
  },
  { breaks: 'CL2', how: 'sleep takes no time', open: () => dreaming(() => 0) },
  { breaks: 'CL2', how: 'sleep rounds down', open: () => dreaming((ms) => Math.max(0, Math.floor(ms))) },
  {
    breaks: 'CL2',
    how: 'a sleep of less than no time turns the clock back',
    open: () => dreaming(Math.ceil),
  },
  {
    breaks: 'CL3',
    how: 'sleep takes no notice of the signal',
    open: () => ({ ...systemClock, sleep: async (ms) => await systemClock.sleep(Math.min(ms, 5)) }),
  },
  {
    breaks: 'CL3',
    how: 'sleep is interrupted with a reason of its own',
    open: () => ({
      ...systemClock,
      async sleep(ms, signal) {
        try {
          await systemClock.sleep(ms, signal);
        } catch {
          throw new Error('The operation was aborted.');
        }
      },
    }),
  },
  {
    breaks: 'CL3',
    how: 'a signal that is aborted already is not noticed',
    open: () => ({
      ...systemClock,
      sleep: async (ms, signal) =>
        signal?.aborted === true ? undefined : await systemClock.sleep(ms, signal),
    }),
  },
  {
    breaks: 'CL3',
    how: 'with a signal there is no sleep',
    open: () => ({
      ...systemClock,
      sleep: async (ms, signal) => await systemClock.sleep(signal === undefined ? ms : 0, signal),
    }),
  },
];

/** A generator whose every byte follows from the one before. */
function following(next: (byte: number) => number): () => Entropy {
  return () => {
    let byte = 7;
    const draw = (): number => {
      byte = next(byte) & 255;
      return byte;
    };
    return { ...systemEntropy, bytes: (count) => Uint8Array.from({ length: count }, draw) };
  };
}

export const brokenEntropies: readonly Broken<Entropy>[] = [
  {
    breaks: 'EN1',
    how: 'a byte is missing',
    open: () => ({ ...systemEntropy, bytes: (count) => systemEntropy.bytes(Math.max(0, count - 1)) }),
  },
  { breaks: 'EN1', how: 'all bytes are zero', open: following(() => 0) },
  { breaks: 'EN1', how: 'bytes count upwards', open: following((byte) => byte + 1) },
  { breaks: 'EN1', how: 'bytes follow from one another', open: following((byte) => byte * 5 + 3) },
  {
    breaks: 'EN1',
    how: 'bytes are letters',
    open: () => ({
      ...systemEntropy,
      bytes: (count) => systemEntropy.bytes(count).map((byte) => 97 + (byte % 26)),
    }),
  },
  {
    breaks: 'EN1',
    how: 'all draws share one buffer',
    open: () => {
      const buffer = new Uint8Array(200_000);
      return {
        ...systemEntropy,
        bytes(count) {
          buffer.set(systemEntropy.bytes(count));
          return buffer.subarray(0, count);
        },
      };
    },
  },
  {
    breaks: 'EN2',
    how: 'the fraction reaches 1',
    open: () => ({ ...systemEntropy, fraction: () => Math.ceil(systemEntropy.fraction() * 100) / 100 }),
  },
  {
    breaks: 'EN2',
    how: 'the fraction may be negative',
    open: () => ({ ...systemEntropy, fraction: () => systemEntropy.fraction() - 0.5 }),
  },
  {
    breaks: 'EN2',
    how: 'the fraction is always the same',
    open: () => ({ ...systemEntropy, fraction: () => 0.4 }),
  },
  {
    breaks: 'EN2',
    how: 'small fractions are more frequent',
    open: () => ({ ...systemEntropy, fraction: () => systemEntropy.fraction() ** 3 }),
  },
];
