/** All tasks of the store that need others or go on from them. */
import type { GraphAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { plainStatusOf } from '../../../src/core/task/card.ts';
import { fits } from '../board/grouped.ts';
import { Loading, RefusalNote } from '../parts/words.tsx';
import type { BoardFilter } from '../shell/place.ts';
import { needingTasks } from '../shell/waiting.ts';
import { Graph } from './graph.tsx';
import '../style/run.css';

export function TaskGraph({ filter }: { readonly filter: BoardFilter }) {
  const { value, refusal, reload } = useLoaded(
    'graph',
    async (signal) => await get<GraphAnswer>('/api/graph', {}, signal),
    { follows: 'all', everyMs: 2000 },
  );
  const needing = needingTasks.value;
  const graph = value.value;
  if (graph === undefined)
    return refusal.value === undefined ? (
      <Loading what="the graph" />
    ) : (
      <RefusalNote refusal={refusal.value} retry={reload} />
    );
  const rows = graph.nodes
    .filter(({ card }) => fits(card, filter, needing))
    .map(({ card, needs, fork }) => ({
      name: card.task,
      task: card.task,
      title: card.title,
      status: card.status,
      stands: plainStatusOf(card, needing),
      holder: card.holder,
      needs: fork === null ? needs : [...needs, fork],
      fork,
    }));
  if (rows.length === 0)
    return (
      <div class="empty">
        <h2>No task needs another</h2>
        <p>
          One that does is opened with <code>staffetta open "…" --need TASK</code>; one that goes on from
          another with <code>staffetta fork TASK</code>.
        </p>
      </div>
    );
  return (
    <>
      <Graph rows={rows} />
      <p class="quiet">
        A line leads from what is needed to what waits for it; a dashed one to what goes on from it.
        {graph.more ? ' Only the newest tasks were looked through.' : ''}
      </p>
    </>
  );
}
