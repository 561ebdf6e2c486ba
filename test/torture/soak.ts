/** The control room's server with many listeners, some of them cut off and back again. */
import { soakServer } from '../../bench/soak-server.ts';
import { Tally, type Trial } from './trial.ts';

const listeners = 200;
const changesPerSecond = 50;
const secondsMin = 20;
/** What caches and fragmentation may still take while nothing is kept of what was told: half a byte per event. */
const bytesPerEvent = 0.5;
const slackMb = 8;

export const serverSoak: Trial = {
  name: 'The server under load',
  promise:
    'Every listener gets every event once, also one that was cut off and came back, and memory stays flat',
  how: `${listeners} listeners, ${changesPerSecond} changes a second; one listener a second is cut off and comes back with the last id it saw. The server's heap is measured after a collection, before and after, while all of them listen`,
  share: 3,
  async run({ seed, until }) {
    const tally = new Tally();
    const seconds = Math.max(secondsMin, Math.round((until - Date.now()) / 1000));
    const { events, lost, repeated, heapStartMb, heapEndMb } = await soakServer({
      seconds,
      listeners,
      changesPerSecond,
      seed,
    });
    tally.add('events to hear', events);
    tally.add('→ lost', lost);
    tally.add('→ repeated', repeated);
    tally.add('MB of heap before', heapStartMb);
    tally.add('MB of heap after', heapEndMb);
    const allowedMb = slackMb + (events * bytesPerEvent) / 1e6;
    return {
      total: tally.of('events to hear'),
      counts: tally.counts,
      faults: [
        ...(lost + repeated === 0 ? [] : [`${lost} events were lost and ${repeated} repeated`]),
        ...(heapEndMb - heapStartMb <= allowedMb
          ? []
          : [`the heap grew from ${heapStartMb} to ${heapEndMb} MB`]),
      ],
    };
  },
};
