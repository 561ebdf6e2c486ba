/** The tasks of a run and what they need, as a graph; without eyes for it, as a list in which each names its needs. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';
import { addressOf } from '../shell/place.ts';
import { laidOut, node } from './layout.ts';

export type RunRow = RunAnswer['rows'][number];

const narrow = '(max-width: 40rem)';

function useNarrow(): boolean {
  const is = useSignal(matchMedia(narrow).matches);
  useEffect(() => {
    const media = matchMedia(narrow);
    const look = (): void => void (is.value = media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return is.value;
}

export function Graph({ rows }: { readonly rows: readonly RunRow[] }) {
  const isNarrow = useNarrow();
  const { nodes, lines, width, height } = useMemo(() => laidOut(rows, isNarrow), [rows, isNarrow]);
  const titles = new Map(rows.map(({ name, title }) => [name, title]));
  return (
    <div class="graph" role="region" aria-label="Graph of the tasks" tabIndex={0}>
      <div class="graph-ground" style={{ width: isNarrow ? '100%' : `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {lines.map(({ from, to, d }) => (
            <path key={`${from} ${to}`} d={d} />
          ))}
        </svg>
        <ol class="rows">
          {nodes.map(({ row, x, y }) => (
            <li
              key={row.name}
              class={`node ${standingClass(row.stands)}`}
              style={{
                left: `${x}px`,
                top: `${y}px`,
                height: `${node.height}px`,
                width: isNarrow ? `calc(100% - ${x}px)` : `${node.width}px`,
              }}
            >
              <NodeTitle row={row} />
              <span class="node-stands">
                {row.stands}
                {row.holder === null ? '' : `: ${row.holder}`}
              </span>
              {row.needs.length === 0 ? null : (
                <span class="visually-hidden">
                  , needs {row.needs.map((need) => titles.get(need) ?? need).join(' and ')}
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

export function standingClass(stands: RunRow['stands']): string {
  return `stands-${stands.replace(' ', '-')}`;
}

/** One that is not opened yet has no page. */
export function NodeTitle({ row }: { readonly row: RunRow }) {
  return row.status === null ? (
    <span class="title">{row.title}</span>
  ) : (
    <a class="title" title={row.title} href={addressOf({ page: 'task', task: row.task, view: 'packet' })}>
      {row.title}
    </a>
  );
}
