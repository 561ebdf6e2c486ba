/** Who has what: tasks in columns by how they stand, as a list, or as a graph of what needs what. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { PlainStatus } from '../../../src/core/task/card.ts';
import type { Card, TaskList } from '../../../src/server/contract/contract.ts';
import { beginning } from '../acts/beginning.tsx';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { setServerTime } from '../parts/clock.ts';
import { lazily } from '../parts/lazily.tsx';
import { Loading, RefusalNote } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { useKeys, type Binding } from '../shell/keys.ts';
import { may } from '../shell/me.ts';
import { addressOf, type BoardFilter } from '../shell/place.ts';
import { needingTasks } from '../shell/waiting.ts';
import { Bulk } from './bulk.tsx';
import { TaskCard } from './card.tsx';
import { Filters } from './filters.tsx';
import { plainStatusOf } from '../../../src/core/task/card.ts';
import { finalStatuses } from '../../../src/core/task/state.ts';
import { columnsOf, listOf, statusOrder } from './grouped.ts';
import { selected } from './selected.ts';

const TaskGraph = lazily('the graph', async () => (await import('../run/task-graph.tsx')).TaskGraph);

const openMax = 1000;
/** Of what is over the latest, unless all is asked for. */
const overMax = 30;
/** More come when they are asked for: nobody reads a thousand cards. */
const atOnce = 60;

interface Listed {
  readonly tasks: readonly Card[];
  readonly isMore: boolean;
  readonly damaged: number;
}

export function Board({ filter }: { readonly filter: BoardFilter }) {
  const all = filter.all === true || filter.status === 'done' || filter.status === 'stopped';
  const { value, refusal, reload } = useLoaded(
    `board ${String(all)}`,
    async (signal) => await load(signal, all ? openMax : overMax),
    { follows: 'all', everyMs: 700 },
  );
  const list = value.value;
  const needing = needingTasks.value;
  useKeys(boardKeys);
  return (
    <>
      <header class="page-head">
        <h1>Board</h1>
      </header>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {list === undefined ? (
        refusal.value === undefined && <Loading what="the board" />
      ) : list.tasks.length === 0 ? (
        <Empty />
      ) : (
        <>
          <Filters tasks={list.tasks} filter={filter} needing={needing} />
          {filter.view === 'graph' ? (
            <TaskGraph filter={filter} />
          ) : filter.view === 'list' || filter.status !== undefined ? (
            <List cards={list.tasks} filter={filter} needing={needing} />
          ) : (
            <Columns cards={list.tasks} filter={filter} needing={needing} />
          )}
          {list.isMore ? (
            <p class="quiet">
              These are the newest {openMax}. The rest: <code>staffetta ls --all</code>
            </p>
          ) : null}
          {list.damaged === 0 ? null : (
            <p class="refusal">
              {list.damaged} more cannot be read. Run: <code>staffetta verify</code>
            </p>
          )}
          <Bulk tasks={list.tasks} done={reload} />
        </>
      )}
    </>
  );
}

async function load(signal: AbortSignal, most: number): Promise<Listed> {
  const standing = statusOrder.filter((status) => !finalStatuses.includes(status));
  const [open, over] = await Promise.all([
    get<TaskList>('/api/tasks', { status: standing, limit: openMax }, signal),
    get<TaskList>('/api/tasks', { status: finalStatuses, limit: most }, signal),
  ]);
  setServerTime(open.now);
  return {
    tasks: [...open.tasks, ...over.tasks],
    isMore: open.next !== null || (most === openMax && over.next !== null),
    damaged: open.damaged.length + over.damaged.length,
  };
}

interface CardsProps {
  readonly cards: readonly Card[];
  readonly filter: BoardFilter;
  readonly needing: ReadonlySet<string>;
}

function Columns({ cards, filter, needing }: CardsProps) {
  const columns = useMemo(() => columnsOf(cards, filter, needing), [cards, filter, needing]);
  return (
    <div class="columns">
      {columns.map(({ column, cards: own }) => (
        <section key={column} class={`column column-${column.replace(' ', '-')}`} aria-label={column}>
          <header>
            <h2>
              <a href={addressOf({ page: 'board', filter: { ...filter, status: column } })}>{column}</a>
            </h2>
            <span class="quiet">{own.length}</span>
          </header>
          <Some cards={own} standsOf={column === 'done' ? (card) => overWord(card, needing) : () => null} />
          {own.length === 0 ? <p class="quiet column-empty">Nothing.</p> : null}
          {column === 'done' && filter.all !== true && own.length >= overMax ? (
            <a href={addressOf({ page: 'board', filter: { ...filter, all: true } })}>All that is over</a>
          ) : null}
        </section>
      ))}
    </div>
  );
}

/** In the column of what is done, only what is not says so. */
function overWord(card: Card, needing: ReadonlySet<string>): PlainStatus | null {
  const stands = plainStatusOf(card, needing);
  return stands === 'done' ? null : stands;
}

function List({ cards, filter, needing }: CardsProps) {
  const shown = useMemo(() => listOf(cards, filter, needing), [cards, filter, needing]);
  return (
    <div class="card-list">
      <Some cards={shown} standsOf={(card) => plainStatusOf(card, needing)} />
      {shown.length === 0 ? (
        <div class="empty">
          <h2>Nothing matches</h2>
          <p>
            <a href="/board">Show everything</a>
          </p>
        </div>
      ) : null}
    </div>
  );
}

function Some({
  cards,
  standsOf: wordOf,
}: {
  readonly cards: readonly Card[];
  readonly standsOf: (card: Card) => PlainStatus | null;
}) {
  const most = useSignal(atOnce);
  return (
    <>
      <ul class="rows cards">
        {cards.slice(0, most.value).map((card) => (
          <TaskCard key={card.task} card={card} stands={wordOf(card)} />
        ))}
      </ul>
      {cards.length <= most.value ? null : (
        <button type="button" class="plain" onClick={() => (most.value += 4 * atOnce)}>
          Show more of {cards.length}
        </button>
      )}
    </>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h2>No task yet</h2>
      {may('direct') ? (
        <p class="buttons">
          <button type="button" class="primary" onClick={() => (beginning.value = { what: 'task' })}>
            New task
          </button>
          <button type="button" onClick={() => (beginning.value = { what: 'session' })}>
            Continue a session in …
          </button>
        </p>
      ) : null}
      <p class="quiet">
        At a terminal: <code>staffetta open "What is to be done"</code>, or hand over a session that runs
        already: <code>staffetta sessions</code>
      </p>
    </div>
  );
}

function titles(): readonly HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.card a.title')];
}

function move(by: number): void {
  const all = titles();
  const at = all.findIndex((one) => one === document.activeElement);
  const next =
    all[at === -1 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const boardKeys: readonly Binding[] = [
  { keys: 'j', does: 'Next task', run: () => move(1) },
  { keys: 'k', does: 'Task before', run: () => move(-1) },
  {
    keys: 'x',
    does: 'Select the task, or not',
    run: () => document.activeElement?.closest('.card')?.querySelector<HTMLElement>('input')?.click(),
  },
  {
    keys: 'c',
    does: 'Clear the filters',
    run: () => {
      selected.value = new Set();
      go({ page: 'board', filter: {} });
    },
  },
];
