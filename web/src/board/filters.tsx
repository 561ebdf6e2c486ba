import type { Card } from '../../../src/server/contract.ts';
import { go } from '../shell/here.ts';
import { addressOf, type BoardFilter } from '../shell/place.ts';
import { laneOrder, overStatuses, shownOrder, shownStatus } from './grouped.ts';

interface Props {
  readonly tasks: readonly Card[];
  readonly filter: BoardFilter;
  readonly at: number;
}

/** Links, so that each can be opened beside and sent to somebody. */
export function Filters({ tasks, filter, at }: Props) {
  const inLane = (lane: string): number =>
    tasks.filter((task) => task.lane === lane && (filter.all === true || !overStatuses.includes(task.status)))
      .length;
  const shown = tasks.map((task) => shownStatus(task, at));
  const states = shownOrder
    .map((status) => ({ status, count: shown.filter((one) => one === status).length }))
    .filter(({ status, count }) => count > 0 || filter.status === status);
  return (
    <div class="filters">
      <fieldset>
        <legend class="visually-hidden">Lane</legend>
        {laneOrder.map((lane) => (
          <Chip key={lane} filter={filter} name="lane" value={lane} count={inLane(lane)} />
        ))}
      </fieldset>
      {states.length === 0 ? null : (
        <fieldset>
          <legend class="visually-hidden">State</legend>
          {states.map(({ status, count }) => (
            <Chip key={status} filter={filter} name="status" value={status} count={count} />
          ))}
        </fieldset>
      )}
      <input
        type="search"
        class="narrow"
        aria-label="Show only titles with these words"
        placeholder="Filter by title"
        value={filter.q ?? ''}
        onInput={(event) => {
          const { q: _, ...rest } = filter;
          const q = event.currentTarget.value;
          go({ page: 'board', filter: q === '' ? rest : { ...rest, q } }, { replace: true });
        }}
      />
      <label>
        <input
          type="checkbox"
          checked={filter.all === true}
          onChange={(event) => {
            const { all: _, ...rest } = filter;
            go({ page: 'board', filter: event.currentTarget.checked ? { ...rest, all: true } : rest });
          }}
        />{' '}
        also what is over
      </label>
    </div>
  );
}

function Chip({
  filter,
  name,
  value,
  count,
}: {
  readonly filter: BoardFilter;
  readonly name: 'lane' | 'status';
  readonly value: string;
  readonly count: number;
}) {
  const on = filter[name] === value;
  const { [name]: _, ...rest } = filter;
  const next: BoardFilter = on ? rest : { ...rest, [name]: value };
  return (
    <a
      class={`chip ${name}-${value}`}
      aria-current={on ? 'true' : undefined}
      href={addressOf({ page: 'board', filter: next })}
    >
      {value} <span class="quiet">{count}</span>
    </a>
  );
}
