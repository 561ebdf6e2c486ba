import { useSignal } from '@preact/signals';
import { plainStatuses } from '../../../src/core/task/card.ts';
import type { Card } from '../../../src/server/contract/contract.ts';
import { keep, kept } from '../parts/kept.ts';
import { go } from '../shell/here.ts';
import { addressOf, type BoardFilter } from '../shell/place.ts';
import { lanes } from '../../../src/core/task/lanes.ts';
import { fits } from './grouped.ts';

interface Props {
  readonly tasks: readonly Card[];
  readonly filter: BoardFilter;
  readonly needing: ReadonlySet<string>;
}

/** Links, so that each can be opened beside and sent to somebody. */
export function Filters({ tasks, filter, needing }: Props) {
  // As many as there will be when it is pressed, with the other filters as they are.
  const count = (more: BoardFilter): number =>
    tasks.filter((task) => fits(task, { ...filter, ...more }, needing)).length;
  const { holder, ...others } = filter;
  return (
    <div class="filters">
      <fieldset class="switch">
        <legend class="visually-hidden">View</legend>
        {[undefined, 'list', 'graph'].map((view) => (
          <a
            key={view ?? 'columns'}
            href={addressOf({ page: 'board', filter: withView(filter, view) })}
            aria-current={filter.view === view ? 'true' : undefined}
          >
            {view ?? 'columns'}
          </a>
        ))}
      </fieldset>
      <fieldset>
        <legend class="visually-hidden">Lane</legend>
        {lanes.map((lane) => (
          <Chip key={lane} filter={filter} name="lane" value={lane} count={count({ lane })} />
        ))}
      </fieldset>
      {filter.view !== 'list' && filter.status === undefined ? null : (
        <fieldset>
          <legend class="visually-hidden">State</legend>
          {plainStatuses.map((status) => (
            <Chip key={status} filter={filter} name="status" value={status} count={count({ status })} />
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
      <Saved filter={filter} />
    </div>
  );
}

function withView(filter: BoardFilter, view: string | undefined): BoardFilter {
  const { view: _, ...rest } = filter;
  return view === undefined ? rest : { ...rest, view };
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
  if (count === 0 && !on) return null;
  const { [name]: _, ...rest } = filter;
  const next: BoardFilter = on ? rest : { ...rest, [name]: value };
  return (
    <a class="chip" aria-current={on ? 'true' : undefined} href={addressOf({ page: 'board', filter: next })}>
      {value} <span class="quiet">{count}</span>
    </a>
  );
}

/** Addresses of the board that this browser keeps, by the words that they filter for. */
function Saved({ filter }: { readonly filter: BoardFilter }) {
  const all = useSignal(savedFilters());
  const own = addressOf({ page: 'board', filter });
  const isSaved = all.value.includes(own);
  const isPlain = own === '/board';
  const change = (next: readonly string[]): void => {
    all.value = next;
    keep({ kind: 'choice', name: 'filters', most: 20 }, next);
  };
  if (all.value.length === 0 && isPlain) return null;
  return (
    <fieldset>
      <legend class="visually-hidden">Saved filters</legend>
      {all.value.map((address) => (
        <a key={address} class="chip" href={address} aria-current={address === own ? 'true' : undefined}>
          ★ {wordsIn(address)}
        </a>
      ))}
      {isPlain ? null : (
        <button
          type="button"
          class="plain"
          onClick={() => change(isSaved ? all.value.filter((one) => one !== own) : [...all.value, own])}
        >
          {isSaved ? 'Forget this filter' : 'Save this filter'}
        </button>
      )}
    </fieldset>
  );
}

/** The browser's shelf can be written by others: only addresses of the board are filters. */
function savedFilters(): readonly string[] {
  const value = kept('choice', 'filters');
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string' && /^\/board\?[\w%+&=.~-]*$/.test(one));
}

function wordsIn(address: string): string {
  return [...new URL(address, location.origin).searchParams.values()].join(', ');
}
