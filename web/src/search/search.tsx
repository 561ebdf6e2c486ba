/** What was found, by task, each hit with a link to its exact place. */
import type { SearchAnswer } from '../../../src/server/contract.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { counted, worded } from '../parts/said.ts';
import { Loading, RefusalNote, Status } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { byTask, hitPlace, pieces, type Hit } from './hits.ts';
import '../style/search.css';

const wordsMin = 2;

export function Search({ q }: { readonly q: string }) {
  const asked = q.trim();
  const { value, refusal, reload } = useLoaded(`search ${asked}`, async (signal) =>
    asked.length < wordsMin
      ? null
      : await get<SearchAnswer>('/api/search', { q: asked.slice(0, 200), limit: 200 }, signal),
  );
  const answer = value.value;
  return (
    <>
      <h1>{asked === '' ? 'Search' : `Search: ${asked}`}</h1>
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} retry={reload} />}
      {answer === undefined ? (
        refusal.value === undefined && <Loading what="what was found" />
      ) : answer === null ? (
        <p class="quiet">Give at least {wordsMin} letters.</p>
      ) : (
        <Found answer={answer} />
      )}
    </>
  );
}

function Found({ answer: { hits, searched, more } }: { readonly answer: SearchAnswer }) {
  const found = byTask(hits);
  return (
    <>
      <p class="quiet" role="status">
        {counted(hits.length, 'hit')} in {counted(found.length, 'task')}; {counted(searched, 'task')} looked
        at
        {more ? '. There is more: ask for something narrower.' : ''}
      </p>
      {found.map(({ task, title, status, hits: own }) => (
        <section key={task} class="found">
          <h2>
            <a href={addressOf({ page: 'task', task, view: 'packet' })}>{title}</a> <Status status={status} />{' '}
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
