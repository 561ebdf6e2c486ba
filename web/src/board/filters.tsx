import type { Card } from '../../../src/server/contract/contract.ts';
import { go } from '../shell/here.ts';
import { addressOf, type BoardFilter } from '../shell/place.ts';
import { fits, laneOrder, shownOrder } from './grouped.ts';

interface Props {
  readonly tasks: readonly Card[];
  readonly filter: BoardFilter;
  readonly at: number;
}

/** Links, so that each can be opened beside and sent to somebody. */
export function Filters({ tasks, filter, at }: Props) {
  // As many as there will be when it is pressed, with the other filters as they are.
  const count = (more: BoardFilter): number =>
    tasks.filter((task) => fits(task, { ...filter, ...more }, at)).length;
  const states = shownOrder
    .map((status) => ({ status, count: count({ status }) }))
    .filter((one) => one.count > 0 || filter.status === one.status);
  const { holder, ...others } = filter;
  return (
    <div class="filters">
      <fieldset>
        <legend class="visually-hidden">Lane</legend>
        {laneOrder.map((lane) => (
          <Chip key={lane} filter={filter} name="lane" value={lane} count={count({ lane })} />
        ))}
      </fieldset>
      {states.length === 0 ? null : (
        <fieldset>
          <legend class="visually-hidden">State</legend>
          {states.map((one) => (
            <Chip key={one.status} filter={filter} name="status" value={one.status} count={one.count} />
          ))}
        </fieldset>
      )}
      {holder === undefined ? null : (
        <a class="chip" aria-current="true" href={addressOf({ page: 'board', filter: others })}>
          held by {holder}
        </a>
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
