/** What was found, by task, each hit with a link to its exact place. */
import type { SearchAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { counted, worded } from '../parts/said.ts';
import { lanes } from '../../../src/core/task/lanes.ts';
import { plainStatuses, plainStatusOf, statusesOf, type PlainStatus } from '../../../src/core/task/card.ts';
import { finalStatuses, statuses } from '../../../src/core/task/state.ts';
import { needingTasks } from '../shell/waiting.ts';
import { Loading, RefusalNote, Stands, Twin } from '../parts/words.tsx';
import { addressOf, type Place } from '../shell/place.ts';
import { quoteWord } from '../../../src/core/base/command-line.ts';
import { byTask, hitPlace, pieces, type Hit } from './hits.ts';
import '../style/search.css';

const wordsMin = 2;

type SearchPlace = Extract<Place, { page: 'search' }>;

export function Search({ place }: { readonly place: SearchPlace }) {
  const asked = place.q.trim();
  const { lane, status, holder } = place;
  const { value, refusal, reload } = useLoaded(addressOf(place), async (signal) =>
    asked.length < wordsMin
      ? null
      : await get<SearchAnswer>(
          '/api/search',
          { q: asked.slice(0, 200), limit: 200, lane, status: askedFor(status), holder },
          signal,
        ),
  );
  const answer = value.value;
  return (
    <>
      <h1>{asked === '' ? 'Search' : `Search: ${asked}`}</h1>
      <Narrowing place={place} />
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {answer === undefined ? (
        refusal.value === undefined && <Loading what="what was found" />
      ) : answer === null ? (
        <p class="quiet">Give at least {wordsMin} letters.</p>
      ) : (
        <Found answer={answer} place={place} />
      )}
    </>
  );
}

function isPlain(status: string | undefined): status is PlainStatus {
  return plainStatuses.some((one) => one === status);
}

/** What the server is asked for: anything that is not over may need the reader. An exact status, of an address, is asked for as it is. */
function askedFor(status: string | undefined): readonly string[] | undefined {
  if (status === 'needs you') return statuses.filter((one) => !finalStatuses.includes(one));
  return isPlain(status) ? statusesOf(status) : status === undefined ? undefined : [status];
}

/** Links, as on the board: each can be opened beside and sent to somebody. */
function Narrowing({ place }: { readonly place: SearchPlace }) {
  const { q, lane, status, holder } = place;
  const exact = isPlain(status) ? statusesOf(status).join(',') : status;
  const words = Object.entries({ lane, status: exact, holder }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteWord(value)],
  );
  return (
    <div class="filters">
      <Chips place={place} name="lane" values={lanes} />
      <Chips place={place} name="status" values={plainStatuses} />
      {status === undefined || isPlain(status) ? null : (
        <a class="chip" aria-current="true" href={addressOf(without(place, 'status'))}>
          {status}
        </a>
      )}
      {holder === undefined ? null : (
        <a class="chip" aria-current="true" href={addressOf(without(place, 'holder'))}>
          held by {holder}
        </a>
      )}
      {q.trim() === '' ? null : (
        <Twin command={['staffetta search', quoteWord(q.trim()), ...words].join(' ')} />
      )}
    </div>
  );
}

interface ChipsProps {
  readonly place: SearchPlace;
  readonly name: 'lane' | 'status';
  readonly values: readonly string[];
}

function Chips({ place, name, values }: ChipsProps) {
  return (
    <fieldset>
      <legend class="visually-hidden">{name === 'lane' ? 'Lane' : 'State'}</legend>
      {values.map((value) => {
        const on = place[name] === value;
        const next = on ? without(place, name) : { ...place, [name]: value };
        return (
          <a key={value} class="chip" aria-current={on ? 'true' : undefined} href={addressOf(next)}>
            {value}
          </a>
        );
      })}
    </fieldset>
  );
}

function without(place: SearchPlace, name: 'lane' | 'status' | 'holder'): SearchPlace {
  const { [name]: _, ...rest } = place;
  return rest;
}

function Found({
  answer: { hits, searched, more },
  place,
}: {
  readonly answer: SearchAnswer;
  readonly place: SearchPlace;
}) {
  const found = byTask(hits)
    .map((one) => ({ ...one, stands: plainStatusOf(one, needingTasks.value) }))
    .filter(({ stands }) => !isPlain(place.status) || stands === place.status);
  if (found.length === 0) return <Nothing place={place} />;
  return (
    <>
      <p class="quiet" role="status">
        {counted(
          found.reduce((sum, one) => sum + one.hits.length, 0),
          'hit',
        )}{' '}
        in {counted(found.length, 'task')}; {counted(searched, 'task')} looked at
        {more ? '. There is more: ask for something narrower.' : ''}
      </p>
      {found.map(({ task, title, stands, hits: own }) => (
        <section key={task} class="found">
          <h2>
            <a href={addressOf({ page: 'task', task, view: 'packet' })}>{title}</a> <Stands stands={stands} />{' '}
            <span class="quiet digest">{task}</span>
          </h2>
          <ul class="rows">
            {own.map((hit, n) => (
              <HitRow key={n} hit={hit} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Nothing({ place: { q, lane, status, holder } }: { readonly place: SearchPlace }) {
  const isNarrowed = [lane, status, holder].some((one) => one !== undefined);
  return (
    <div class="empty" role="status">
      <h2>Nothing was found</h2>
      <p>
        All words have to be in one text, each whole or its beginning. Case and accents do not matter.
        {isNarrowed ? (
          <>
            {' '}
            <a href={addressOf({ page: 'search', q })}>Search without the filters</a>
          </>
        ) : null}
      </p>
    </div>
  );
}

function HitRow({ hit }: { readonly hit: Hit }) {
  const { where, field, ref, seq } = hit;
  const name = ref ?? (seq === null ? undefined : `j${seq}`);
  return (
    <li class="hit">
      <a href={addressOf(hitPlace(hit))}>
        {worded(where)}
        {field === null || field === where ? '' : ` ${field}`}
        {name === undefined ? '' : ` ${name}`}
      </a>
      <span class="hit-text">
        {pieces(hit).map(({ text, match }, n) =>
          match ? <mark key={n}>{text}</mark> : <span key={n}>{text}</span>,
        )}
      </span>
    </li>
  );
}
