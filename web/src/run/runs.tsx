/** The runs of this store, the latest first. */
import { plainStatusOf } from '../../../src/core/task/card.ts';
import type { RunList } from '../../../src/server/contract/contract-looks.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { needingTasks } from '../shell/waiting.ts';
import { Ago, Loading, RefusalNote, Stands } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import '../style/run.css';

export function Runs() {
  const { value, refusal, reload } = useLoaded(
    'runs',
    async (signal) => await get<RunList>('/api/runs', {}, signal),
    { follows: 'all', everyMs: 2000 },
  );
  const list = value.value?.runs;
  return (
    <>
      <h1>Runs</h1>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {list === undefined ? (
        refusal.value === undefined && <Loading what="the runs" />
      ) : list.length === 0 ? (
        <div class="empty">
          <h2>No run yet</h2>
          <p>
            A run carries a plan to its end: <code>staffetta run plan.yaml</code>
          </p>
        </div>
      ) : (
        <ul class="rows run-list">
          {list.map(({ task, title, status, updatedAt }) => (
            <li key={task}>
              <Stands stands={plainStatusOf({ task, status }, needingTasks.value)} />{' '}
              <a class="title" href={addressOf({ page: 'run', task })}>
                {title}
              </a>{' '}
              <span class="quiet">
                <Ago at={updatedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
