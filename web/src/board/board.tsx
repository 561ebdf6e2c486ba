/** Who holds what: tasks by lane and state, leases running down, what happened last. */
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Card, TaskList } from '../../../src/server/contract/contract.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { now, setServerTime } from '../parts/clock.ts';
import { Lane, Loading, RefusalNote } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { useKeys, type Binding } from '../shell/keys.ts';
import type { BoardFilter } from '../shell/place.ts';
import { Filters } from './filters.tsx';
import { grouped, silentOf } from './grouped.ts';
import { Row } from './row.tsx';

const pageMax = 1000;

export function Board({ filter }: { readonly filter: BoardFilter }) {
  const { value, refusal, reload } = useLoaded('board', load, { follows: 'all', everyMs: 700 });
  const list = value.value;
  const silent = useComputed(() => silentOf(value.value?.tasks ?? [], now.value)).value;
  const groups = useMemo(() => grouped(list?.tasks ?? [], filter, now.peek()), [list, filter, silent]);
  useKeys(boardKeys);
  return (
    <>
      <h1 class="visually-hidden">Board</h1>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {list === undefined ? (
        refusal.value === undefined && <Loading what="the board" />
      ) : (
        <>
          <Filters tasks={list.tasks} filter={filter} at={now.peek()} />
          {groups.length === 0 ? <Nothing any={list.tasks.length > 0} /> : null}
          {groups.map(({ lane, cards }) => (
            <LanePart key={lane ?? 'none'} lane={lane} cards={cards} />
          ))}
          {list.next === null ? null : (
            <p class="quiet">
              These are the newest {pageMax}. The rest: <code>staffetta ls --all</code>
            </p>
          )}
          {list.damaged.length === 0 ? null : (
            <p class="refusal">
              {list.damaged.length} more cannot be read. Run: <code>staffetta verify</code>
            </p>
          )}
        </>
      )}
    </>
  );
}

async function load(signal: AbortSignal): Promise<TaskList> {
  const list = await get<TaskList>('/api/tasks', { limit: pageMax }, signal);
  setServerTime(list.now);
  return list;
}

function LanePart({ lane, cards }: { readonly lane: string | null; readonly cards: readonly Card[] }) {
  return (
    <section class="board-lane" aria-label={lane ?? 'no lane yet'}>
      <header>
        <h2>{lane === null ? 'no lane yet' : <Lane lane={lane} />}</h2>
        <span class="quiet">{cards.length}</span>
      </header>
      <ul class="rows">
        {cards.map((card) => (
          <Row key={card.task} card={card} />
        ))}
      </ul>
    </section>
  );
}

function Nothing({ any }: { readonly any: boolean }) {
  return (
    <div class="empty">
      <h2>{any ? 'Nothing matches' : 'No task is open'}</h2>
      <p>
        {any ? (
          <a href="/">Show all that is open</a>
        ) : (
          <>
            Open one with <code>staffetta open "What is to be done"</code>, or hand over a session that runs
            already: <code>staffetta sessions</code>
          </>
        )}
      </p>
    </div>
  );
}

function rows(): readonly HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.row a.title')];
}

function move(by: number): void {
  const all = rows();
  const at = all.findIndex((one) => one === document.activeElement);
  const next =
    all[at === -1 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const boardKeys: readonly Binding[] = [
  { keys: 'j', does: 'Next task', run: () => move(1) },
  { keys: 'k', does: 'Task before', run: () => move(-1) },
  { keys: 'c', does: 'Clear the filters', run: () => go({ page: 'board', filter: {} }) },
];
