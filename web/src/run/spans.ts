/** Who was at work when: a line for each agent, below the lane it worked in. */
import { lanes } from '../../../src/core/task/lanes.ts';
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';

export type RunRow = RunAnswer['rows'][number];

interface Bar {
  readonly row: RunRow;
  readonly from: number;
  /** Null while it lasts. */
  readonly until: number | null;
  readonly ended: string | null;
}

interface Tick {
  readonly row: RunRow;
  readonly at: number;
  readonly approve: boolean;
}

export interface AgentLine {
  readonly lane: string;
  readonly agent: string;
  readonly bars: readonly Bar[];
  readonly ticks: readonly Tick[];
}

export function linesOf(rows: readonly RunRow[]): AgentLine[] {
  const lines = new Map<string, { lane: string; agent: string; bars: Bar[]; ticks: Tick[] }>();
  const lineOf = (lane: string, agent: string) => {
    const key = `${lane} ${agent}`;
    const line = lines.get(key) ?? { lane, agent, bars: [], ticks: [] };
    lines.set(key, line);
    return line;
  };
  for (const row of rows) {
    for (const { lane, agent, from, until, ended } of row.legs)
      lineOf(lane, agent).bars.push({ row, from, until, ended });
    for (const { by, at, approve } of row.verdicts) lineOf('audit', by).ticks.push({ row, at, approve });
  }
  return [...lines.values()]
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.agent < b.agent ? -1 : 1))
    .flatMap(({ bars, ticks, ...who }) => {
      const [first = [], ...more] = besideEachOther(bars);
      return [{ ...who, bars: first, ticks }, ...more.map((all) => ({ ...who, bars: all, ticks: [] }))];
    });
}

/** An agent of which there are several may be at work twice at once: then it has several lines. */
function besideEachOther(bars: readonly Bar[]): Bar[][] {
  const tracks: Bar[][] = [];
  for (const bar of bars.toSorted((a, b) => a.from - b.from)) {
    const free = tracks.find((track) => (track.at(-1)?.until ?? Infinity) <= bar.from);
    if (free === undefined) tracks.push([bar]);
    else free.push(bar);
  }
  return tracks;
}

/** From the first leg to the last that is known; null where nobody has begun. */
export function periodOf(
  lines: readonly AgentLine[],
  now: number,
): { readonly from: number; readonly until: number } | null {
  const bars = lines.flatMap((line) => line.bars);
  const ticks = lines.flatMap((line) => line.ticks.map(({ at }) => at));
  if (bars.length === 0 && ticks.length === 0) return null;
  const from = bars.reduce((least, bar) => Math.min(least, bar.from), ticks[0] ?? now);
  const until = bars.reduce((most, bar) => Math.max(most, bar.until ?? now), Math.max(from + 1, ...ticks));
  return { from, until: Math.max(until, from + 1) };
}

function rankOf({ lane }: AgentLine): number {
  return (lanes as readonly string[]).indexOf(lane);
}
