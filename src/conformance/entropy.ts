import type { Entropy } from '../ports/entropy.ts';
import { check, same, sameBytes, type Case } from './case.ts';
import { numbers } from './sample.ts';

const draws = 4096;

export const entropyCases: readonly Case<Entropy>[] = [
  {
    id: 'EN1',
    title: 'as many bytes come as asked for',
    run: async (entropy) => {
      for (const count of [0, 1, 7, 8, 32, 1000, 70_000]) {
        const bytes = entropy.bytes(count);
        check(bytes instanceof Uint8Array, 'no bytes came');
        same(bytes.length, count, 'bytes');
      }
    },
  },
  {
    id: 'EN1',
    title: 'no draw repeats another, and later draws leave earlier ones alone',
    run: async (entropy) => {
      const first = entropy.bytes(16);
      const copy = Uint8Array.from(first);
      const seen = new Set(numbers(draws).map(() => Buffer.from(entropy.bytes(16)).toString('hex')));
      same(seen.size, draws, 'different draws');
      sameBytes(first, copy, 'the first draw after the others');
    },
  },
  {
    // Every bound is more than eight standard deviations from what chance gives: this does not fail by accident.
    id: 'EN1',
    title: 'bits are as often set as not, in every place, and do not follow from those before',
    run: async (entropy) => {
      const bytes = entropy.bytes(32 * draws);
      const values = new Set(bytes);
      same(values.size, 256, 'different bytes');
      for (const bit of numbers(8)) {
        const set = bytes.reduce((sum, byte) => sum + ((byte >> bit) & 1), 0) / bytes.length;
        check(Math.abs(set - 0.5) < 0.02, `bit ${bit} is set in ${set} of the bytes`);
        const next = bytes.reduce((sum, byte, n) => sum + (((byte ^ (bytes[n - 1] ?? 0)) >> bit) & 1), 0);
        check(Math.abs(next / bytes.length - 0.5) < 0.02, `bit ${bit} changes in ${next} bytes`);
      }
      const steps = new Set(bytes.map((byte, n) => byte - (bytes[n - 1] ?? 0)));
      same(steps.size, 256, 'different steps from byte to byte');
    },
  },
  {
    id: 'EN2',
    title: 'fractions are at least 0 and below 1',
    run: async (entropy) => {
      for (const fraction of numbers(draws).map(() => entropy.fraction()))
        check(fraction >= 0 && fraction < 1, `${fraction} is out of range`);
    },
  },
  {
    id: 'EN2',
    title: 'fractions are spread evenly',
    run: async (entropy) => {
      const tenths = Array.from({ length: 10 }, () => 0);
      for (const _ of numbers(draws)) {
        const tenth = Math.floor(entropy.fraction() * 10);
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
      // About 410 are expected in each tenth; 19 is one standard deviation.
      for (const [tenth, count] of tenths.entries())
        check(count > 240 && count < 580, `${count} of ${draws} fractions are in tenth ${tenth}`);
    },
  },
];
