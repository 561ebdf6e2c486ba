// Reads a chain's history from end to end and reports, as JSON, how fast and with how much memory. A process of its own, so that
// nothing but the reading is in its memory: node read-history.ts STORE TASK ROUNDS
import { openStaffetta } from '../../src/index.ts';

export interface HistoryRead {
  readonly transcriptBytes: number;
  /** Everything delivered: entries, packets and transcripts. */
  readonly bytes: number;
  readonly ms: readonly number[];
  readonly peakBytes: number;
}

const [store = '', task = '', rounds = '1'] = process.argv.slice(2);
const relay = await openStaffetta({ gate: 'record', store });

const { bytes, peakBytes } = await weigh();
const ms: number[] = [];
let transcriptBytes = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  transcriptBytes = 0;
  const started = performance.now();
  for await (const item of relay.history(task))
    if (item.kind === 'transcript') transcriptBytes += item.bytes.length;
  ms.push(performance.now() - started);
}
await relay.close();
process.stdout.write(JSON.stringify({ transcriptBytes, bytes, ms, peakBytes } satisfies HistoryRead));

/** A first reading, not timed: how much there is, and how far the memory grows beyond that of the first items. */
async function weigh(): Promise<{ bytes: number; peakBytes: number }> {
  let bytes = 0;
  let items = 0;
  let start = 0;
  let peak = 0;
  for await (const item of relay.history(task)) {
    bytes += item.kind === 'transcript' ? item.bytes.length : JSON.stringify(item).length;
    items += 1;
    if (items % 200 !== 0) continue;
    const { rss } = process.memoryUsage();
    if (start === 0) start = rss;
    peak = Math.max(peak, rss);
  }
  return { bytes, peakBytes: peak - start };
}
