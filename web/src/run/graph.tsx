/** Tasks and what they need, as a graph; without eyes for it, as a list in which each names its needs. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { addressOf } from '../shell/place.ts';
import { laidOut, node } from './layout.ts';

interface GraphTask {
  readonly name: string;
  readonly task: string;
  readonly title: string;
  /** Null where it is not opened yet. */
  readonly status: string | null;
  readonly stands: string;
  readonly holder: string | null;
  readonly needs: readonly string[];
  /** Of its needs, the one that it goes on from. */
  readonly fork?: string | null;
}

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

export function Graph({ rows }: { readonly rows: readonly GraphTask[] }) {
  const isNarrow = useNarrow();
  const { nodes, lines, width, height } = useMemo(() => laidOut(rows, isNarrow), [rows, isNarrow]);
  const forks = new Map(rows.map(({ name, fork }) => [name, fork]));
  const titles = new Map(rows.map(({ name, title }) => [name, title]));
  return (
    <div class="graph" role="region" aria-label="Graph of the tasks" tabIndex={0}>
      <div class="graph-ground" style={{ width: isNarrow ? '100%' : `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {lines.map(({ from, to, d }) => (
            <path key={`${from} ${to}`} d={d} class={forks.get(to) === from ? 'fork-line' : undefined} />
          ))}
        </svg>
        <ol class="rows">
          {nodes.map(({ row, x, y }) => (
            <li
              key={row.name}
              class={`node stands-${row.stands.replace(' ', '-')}`}
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

/** One that is not opened yet has no page. */
export function NodeTitle({ row }: { readonly row: GraphTask }) {
  return row.status === null ? (
    <span class="title">{row.title}</span>
  ) : (
    <a class="title" title={row.title} href={addressOf({ page: 'task', task: row.task, view: 'packet' })}>
      {row.title}
    </a>
  );
}
