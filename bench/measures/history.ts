import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Chain } from '../material/chain.ts';
import { contextBytes } from './chain-size.ts';
import { noise } from '../material/content.ts';
import type { HistoryRead } from '../children/read-history.ts';
import { verdict, type Section } from '../section.ts';
import { megabytes, median, quartiles } from '../statistics.ts';

const rounds = 15;
const rateMin = 50;
/** Garbage waits for its collector; beyond this, something is being kept. */
const growthBytesMax = 48 * 1024 * 1024;
const shortHops = 500;

export async function measureHistory(
  scratch: string,
  long: { readonly path: string; readonly task: string },
): Promise<Section> {
  const short = await Chain.begin(join(scratch, 'short', 'store.db'), 'context-limit');
  while (short.hops < shortHops) await short.hop(noise(contextBytes));
  await short.close();
  const small = read(short.path, short.task, 1);
  const read5000 = read(long.path, long.task, rounds);
  const rates = (bytes: number): number[] => read5000.ms.map((ms) => bytes / 1e6 / (ms / 1000));
  const transcript = rates(read5000.transcriptBytes);
  const whole = rates(read5000.bytes);
  return {
    title: 'Reading a history',
    lines: [
      {
        measure: 'full history of 5,000 hops, transcript bytes delivered',
        target: `≥ ${rateMin} MB/s`,
        result: show(median(transcript)),
        spread: quartiles(transcript, show),
        verdict: verdict(median(transcript) >= rateMin),
      },
      {
        measure: 'the same reading, all bytes delivered: entries and packets too',
        target: '',
        result: show(median(whole)),
        spread: quartiles(whole, show),
        verdict: 'for information',
      },
      {
        measure: 'memory that reading 5,000 hops takes beyond its first items',
        target: 'bounded',
        result: megabytes(read5000.peakBytes),
        spread: `${megabytes(small.peakBytes)} for ${shortHops} hops`,
        verdict: verdict(read5000.peakBytes <= growthBytesMax),
      },
    ],
    notes: [
      `\`history()\` of the chain above: ${megabytes(read5000.transcriptBytes)} of transcripts in pieces of ${contextBytes / 1024} KB, among ${megabytes(read5000.bytes - read5000.transcriptBytes)} of entries and packets; every digest is checked. ${rounds} readings in one process, after a first one that is not timed. Memory is the growth of the resident set during that first reading.`,
    ],
  };
}

function show(rate: number): string {
  return `${Math.round(rate)} MB/s`;
}

function read(store: string, task: string, times: number): HistoryRead {
  const script = join(import.meta.dirname, '../children/read-history.ts');
  const done = spawnSync(process.execPath, [script, store, task, `${times}`], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`reading failed: ${done.stderr.slice(0, 2000)}`);
  return JSON.parse(done.stdout) as HistoryRead;
}
