/** The server under load for as long as one likes: whether every listener gets every event once, and whether memory stays flat. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededEntropy } from '../test/support/world.ts';
import { loadServer } from './material/live-load.ts';
import { residentBytes } from './machine.ts';

const taskCount = 100;
/** Before the heap is measured first: caches are full then, and code is compiled. */
const warmUp = { seconds: 10, listeners: 10, sample: () => {} };

export interface SoakOptions {
  readonly seconds: number;
  readonly listeners: number;
  readonly changesPerSecond: number;
  /** Decides which task is changed, and which listener is cut off: one a second, which comes back with the last id it saw. */
  readonly seed: number;
}

export interface Soaked {
  /** How many there were to hear, over all listeners. */
  readonly events: number;
  readonly lost: number;
  readonly repeated: number;
  /** Of the server, after a collection, before the first change and after the last. */
  readonly heapStartMb: number;
  readonly heapEndMb: number;
  /** Of the server in megabytes, every ten seconds. */
  readonly rssSamples: readonly number[];
}

export async function soakServer(options: SoakOptions): Promise<Soaked> {
  const { seconds, listeners, changesPerSecond, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-soak-'));
  const server = fork(
    join(import.meta.dirname, 'children/soak-server-child.ts'),
    [join(folder, 'store.db'), `${taskCount}`],
    { execArgv: ['--expose-gc'] },
  );
  try {
    const [place] = (await once(server, 'message')) as [{ url: string; token: string; tasks: string[] }];
    const entropy = seededEntropy(seed);
    const rssSamples: number[] = [];
    const every = { ...place, changesPerSecond, timed: false, chance: () => entropy.fraction() };
    await loadServer({ ...every, ...warmUp });
    // While everybody listens: what a stream holds is free when it ends.
    const heapMb: number[] = [];
    const { changes, lost, repeated } = await loadServer({
      ...every,
      listeners,
      seconds,
      async sample(when) {
        rssSamples.push(rounded(residentBytes(server)));
        if (when !== 'between') heapMb.push(await heapOf(server));
      },
    });
    const [heapStartMb = 0, heapEndMb = 0] = heapMb;
    return { events: changes * listeners, lost, repeated, heapStartMb, heapEndMb, rssSamples };
  } finally {
    if (server.connected) server.send('end');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function heapOf(server: ChildProcess): Promise<number> {
  const answer = once(server, 'message') as Promise<[{ heap: number }]>;
  server.send('heap');
  const [{ heap }] = await answer;
  return rounded(heap);
}

function rounded(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
