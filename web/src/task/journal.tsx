/** The journal, entry by entry, to the byte. A journal may be long: pages of it are loaded when they come into view. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskEvents } from '../../../src/server/contract/contract.ts';
import { get, getText, taskPath } from '../api/client.ts';
import { refusalOf } from '../api/refusal.ts';
import { Pages } from '../parts/pages.ts';
import { counted, timeOf, worded } from '../parts/said.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { DigestOf, Loading, RefusalNote, Section, Twin } from '../parts/words.tsx';
import { go } from '../shell/here.ts';
import { eventTypes } from './event-types.ts';
import { eventLine } from './event-words.ts';
import type { TaskPlace } from './task.tsx';

export type Entry = TaskEvents['entries'][number];

function journalPages(task: string): Pages<Entry> {
  return new Pages<Entry>(async (from, limit) => {
    const { entries, head } = await get<TaskEvents>(taskPath(task, 'events'), { from, limit });
    return { from, items: entries, total: head.seq + 1 };
  }, 250);
}

interface Props {
  readonly task: string;
  readonly place: TaskPlace;
  /** The last entry there is, as the page knows it. */
  readonly seq: number;
}

export function Journal({ task, place, seq }: Props) {
  const pages = useMemo(() => journalPages(task), [task]);
  const open = useSignal<ReadonlySet<number>>(new Set());
  const { at, type } = place;
  const seqAt = useSignal<number | undefined>(undefined);
  const unknown = useSignal(false);
  useEffect(() => void pages.ask(0), [pages]);
  useEffect(() => pages.grow(seq + 1), [seq]);
  useEffect(() => {
    const find = async (): Promise<void> => {
      unknown.value = false;
      const found = await seqNamed(pages, at);
      seqAt.value = found;
      unknown.value = at !== undefined && found === undefined;
      if (found !== undefined) open.value = new Set([...open.value, found]);
    };
    void find();
  }, [pages, at]);
  // A filter needs all of it.
  useEffect(() => {
    let wanted = true;
    if (type !== undefined) void pages.all(() => wanted);
    return () => (wanted = false);
  }, [pages, type, seq]);
  const shown = useComputed((): readonly number[] | undefined => {
    void pages.version.value;
    if (type === undefined) return undefined;
    return Array.from({ length: pages.total.value ?? 0 }, (_, n) => n).filter((n) =>
      pages.known(n)?.entry.events.some((event) => event.type === type),
    );
  });
  void pages.version.value;
  const total = pages.total.value;
  const filtered = type === undefined ? undefined : shown.value;
  const count = filtered?.length ?? total ?? 0;
  const index = (n: number): number => filtered?.[n] ?? n;
  const { refusal } = pages;
  const first = seqAt.value === undefined ? undefined : (filtered?.indexOf(seqAt.value) ?? seqAt.value);
  return (
    <Section
      title="Journal"
      aside={<span class="quiet">{total === undefined ? '' : counted(total, 'entry', 'entries')}</span>}
    >
      <div class="packet-bar">
        <label>
          Only{' '}
          <select
            value={type ?? ''}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              go({ page: 'task', task, view: 'journal', ...(chosen === '' ? {} : { type: chosen }) });
            }}
          >
            <option value="">all events</option>
            {eventTypes.map((one) => (
              <option key={one} value={one}>
                {worded(one)}
              </option>
            ))}
          </select>
        </label>
        {filtered === undefined ? null : <span role="status">{counted(count, 'entry', 'entries')}</span>}
        <Twin command={`staffetta log ${task}`} />
      </div>
      {unknown.value ? <p class="stopped">Nothing is called {at} here.</p> : null}
      {refusal.value === undefined ? null : (
        <RefusalNote refusal={refusal.value} retry={() => void pages.ask(0)} />
      )}
      {total === undefined ? (
        refusal.value === undefined && <Loading what="the journal" />
      ) : count === 0 ? (
        <p class="quiet">No entry has such an event.</p>
      ) : (
        <VirtualList
          label="Entries"
          of={type ?? ''}
          count={count}
          rowPx={34}
          at={first === -1 ? undefined : first}
          render={(n) => (
            <Row
              task={task}
              seq={index(n)}
              entry={pages.at(index(n))}
              isOpen={open.value.has(index(n))}
              isNamed={seqAt.value === index(n)}
              toggle={() => {
                const next = new Set(open.value);
                if (!next.delete(index(n))) next.add(index(n));
                open.value = next;
              }}
            />
          )}
        />
      )}
    </Section>
  );
}

/** The entry that an evidence id means: its own number, or where that decision was made. */
async function seqNamed(pages: Pages<Entry>, at: string | undefined): Promise<number | undefined> {
  const [, kind, digits] = /^([jrd])(\d{1,9})$/.exec(at ?? '') ?? [];
  if (kind === undefined || digits === undefined) return undefined;
  const number = Number(digits);
  if (kind !== 'd') {
    await pages.ask(0);
    return number < (pages.total.value ?? 0) ? number : undefined;
  }
  let found: number | undefined;
  const look = (): boolean => {
    for (let n = 0; found === undefined && pages.known(n) !== undefined; n += 1)
      if (pages.known(n)?.entry.events.some((event) => isDecision(event, number))) found = n;
    return found === undefined;
  };
  await pages.all(look);
  look();
  return found;
}

function isDecision(event: Entry['entry']['events'][number], number: number): boolean {
  return (event.type === 'decision-made' || event.type === 'decision-raised') && event['decision'] === number;
}

interface RowProps {
  readonly task: string;
  readonly seq: number;
  readonly entry: Entry | undefined;
  readonly isOpen: boolean;
  readonly isNamed: boolean;
  readonly toggle: () => void;
}

function Row({ task, seq, entry, isOpen, isNamed, toggle }: RowProps) {
  if (entry === undefined) return <div class="entry-line loading-line">j{seq}</div>;
  const { at, events, by } = entry.entry as Entry['entry'] & { readonly by?: { readonly name?: string } };
  return (
    <div class={isNamed ? 'entry named' : 'entry'}>
      <button type="button" class="entry-line" aria-expanded={isOpen} onClick={toggle}>
        <code class="entry-seq">j{seq}</code>
        <span class="quiet entry-at">{timeOf(at)}</span>
        <span class="entry-by">{by?.name ?? ''}</span>
        <span class="entry-what">
          {events.map((event, n) => (
            <span key={n}>
              {n === 0 ? '' : ' · '}
              <strong>{worded(event.type)}</strong>{' '}
              <span class="quiet">{eventLine(event).slice(0, 200)}</span>
            </span>
          ))}
        </span>
      </button>
      {isOpen ? <Body task={task} entry={entry} /> : null}
    </div>
  );
}

function Body({ task, entry }: { readonly task: string; readonly entry: Entry }) {
  const output = useSignal<string | undefined>(undefined);
  const ran = entry.entry.events.some(
    (event) => event.type === 'validation-run' && event['output'] !== undefined,
  );
  const show = async (): Promise<void> => {
    try {
      output.value = await getText(taskPath(task, 'runs', `r${entry.seq}`, 'output'));
    } catch (error) {
      output.value = refusalOf(error).message;
    }
  };
  return (
    <div class="entry-body">
      <p class="quiet">
        digest <DigestOf digest={entry.digest} />; exactly as stored:
      </p>
      <pre>{entry.body}</pre>
      {ran ? (
        <button type="button" onClick={() => void show()}>
          What it printed
        </button>
      ) : null}
      {output.value === undefined ? null : (
        <pre class="exact">{output.value === '' ? '(nothing)' : output.value}</pre>
      )}
    </div>
  );
}
