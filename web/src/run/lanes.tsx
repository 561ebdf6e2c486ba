/** Lanes over time: each leg a bar that leads to its task, each verdict a mark. */
import { now, span } from '../parts/clock.ts';
import { timeOf, worded } from '../parts/said.ts';
import { Lane } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { linesOf, periodOf, type AgentLine, type RunRow } from './spans.ts';

export function Lanes({ rows }: { readonly rows: readonly RunRow[] }) {
  const lines = linesOf(rows);
  const period = periodOf(lines, now.value);
  if (period === null) return <p class="quiet">Nobody has begun.</p>;
  const share = (at: number): number => ((at - period.from) / (period.until - period.from)) * 100;
  return (
    <div class="lanes">
      <ul class="rows">
        {lines.map((line, n) => (
          <li key={n} class="lane-line">
            <span class="lane-who">
              <Lane lane={line.lane} /> {line.agent}
            </span>
            <LineTrack line={line} share={share} />
          </li>
        ))}
      </ul>
      <p class="lane-times quiet">
        <span>{timeOf(period.from)}</span>
        <span>{span(period.until - period.from)} in all</span>
      </p>
    </div>
  );
}

function LineTrack({
  line: { lane, agent, bars, ticks },
  share,
}: {
  readonly line: AgentLine;
  readonly share: (at: number) => number;
}) {
  return (
    <span class="track">
      {bars.map(({ row, from, until, ended }) => {
        const lasted = span((until ?? now.value) - from);
        const words = `${row.title}: ${agent}, ${lasted}, ${ended === null ? 'holds it' : worded(ended)}`;
        return (
          <a
            key={`${row.name} ${from}`}
            class={`bar bar-${lane}${until === null ? ' bar-on' : ''}`}
            style={{ left: `${share(from)}%`, width: `${share(until ?? now.value) - share(from)}%` }}
            title={words}
            aria-label={words}
            href={addressOf({ page: 'task', task: row.task, view: 'packet' })}
          >
            <span aria-hidden="true">{row.title}</span>
          </a>
        );
      })}
      {ticks.map(({ row, at, approve }) => {
        const words = `${row.title}: ${approve ? 'approved' : 'sent back'} by ${agent}, ${timeOf(at)}`;
        return (
          <a
            key={`${row.name} ${at}`}
            class={`tick ${approve ? 'tick-good' : 'tick-bad'}`}
            // Half of it lies to the right of its moment, and the track ends with the last one.
            style={{ left: `clamp(0.6rem, ${share(at)}%, calc(100% - 0.6rem))` }}
            title={words}
            aria-label={words}
            href={addressOf({ page: 'task', task: row.task, view: 'packet' })}
          >
            {approve ? '✓' : '↩'}
          </a>
        );
      })}
    </span>
  );
}
