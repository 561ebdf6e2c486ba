import { join } from 'node:path';
import { Chain, type Hops } from '../material/chain.ts';
import { noise, prose } from '../material/content.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { times } from '../statistics.ts';

export const contextBytes = 2048;
const hopsMeasured = [500, 1000, 2000, 5000] as const;
const [shortHops] = hopsMeasured;
const ratioMax = 2;
/** A hop of the long chain may take this much more than one of the short chain and still count as linear. */
const growthMax = 1.02;

export interface Sized {
  readonly section: Section;
  /** The longest chain, for a reader who wants it. */
  readonly path: string;
  readonly task: string;
}

/** What a chain takes on disk, and whether a hop costs the same at any depth. */
export async function measureChainSize(scratch: string): Promise<Sized> {
  const long = await Chain.begin(join(scratch, 'chain', 'store.db'), 'context-limit');
  const perHop = new Map<number, number>();
  for (const hops of hopsMeasured) {
    while (long.hops < hops) await long.hop(noise(contextBytes));
    perHop.set(hops, long.diskBytes() / hops);
  }
  await long.close();
  const ofProse = await short(join(scratch, 'prose', 'store.db'), 'context-limit', () => prose(contextBytes));
  const planned = await short(join(scratch, 'planned', 'store.db'), 'planned', () => noise(contextBytes));
  const first = perHop.get(shortHops) ?? Number.NaN;
  const growth = (perHop.get(5000) ?? Number.NaN) / first;
  return {
    section: {
      title: 'A chain on disk',
      lines: [
        size('500 hops, 2 KB of random bytes each: bytes on disk over unique bytes', first),
        size('500 hops, 2 KB of prose each', ofProse),
        size('500 planned hops, noted and acknowledged, 2 KB of random bytes each', planned),
        {
          measure: 'a hop of a chain of 5,000 over a hop of one of 500',
          target: 'linear',
          result: times(growth),
          spread: '',
          verdict: verdict(growth <= growthMax),
        },
      ],
      notes: [
        'A hop is handed off, at the context limit, with the new context as transcript, and taken: two entries and a packet besides the context; progress is noted every eight hops, since a task that goes round without it is stopped. A planned hop is also noted and acknowledged each time, which makes four entries. Only the context counts as unique. Sizes are those of the database file after a checkpoint of its log.',
        `Bytes per hop: ${[...perHop].map(([hops, bytes]) => `${Math.round(bytes)} at ${hops} hops`).join(', ')}.`,
      ],
    },
    path: long.path,
    task: long.task,
  };
}

async function short(path: string, kind: Hops, content: () => string | Uint8Array): Promise<number> {
  const chain = await Chain.begin(path, kind);
  while (chain.hops < shortHops) await chain.hop(content());
  const bytes = chain.diskBytes();
  await chain.close();
  return bytes / shortHops;
}

function size(measure: string, bytesPerHop: number): Line {
  return {
    measure,
    target: `≤ ${ratioMax}×`,
    result: times(bytesPerHop / contextBytes),
    spread: '',
    verdict: verdict(bytesPerHop <= ratioMax * contextBytes),
  };
}
