/** The frame around every page: where to go, whether it is live, who is signed in. */
import { useEffect, useMemo } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { connection } from '../api/live.ts';
import { signedOut } from '../api/client.ts';
import { Attention } from '../attention/attention.tsx';
import { Board } from '../board/board.tsx';
import { lazily } from '../parts/lazily.tsx';
import { Reviews } from '../review/queue.tsx';
import { Search } from '../search/search.tsx';
import { counts } from './counts.ts';
import { Help, helpIsOpen } from './help.tsx';
import { go, here } from './here.ts';
import { useKeys, type Binding } from './keys.ts';
import { addressOf, type Place } from './place.ts';
import { me, signOut, staysSignedIn } from './me.ts';

const Task = lazily('the page', async () => (await import('../task/task.tsx')).Task);
const Run = lazily('the page', async () => (await import('../run/run.tsx')).Run);
const Runs = lazily('the page', async () => (await import('../run/runs.tsx')).Runs);
const Review = lazily('the page', async () => (await import('../review/review.tsx')).Review);

const connectionWords = { live: 'live', away: 'reconnecting', connecting: 'connecting' } as const;
const board: Place = { page: 'board', filter: {} };

export function Shell() {
  const keys = useMemo((): readonly Binding[] => {
    return [
      { keys: '?', does: 'Show these keys', run: () => (helpIsOpen.value = true) },
      { keys: '/', does: 'Search', run: focusSearch },
      { keys: 'g b', does: 'Go to the board', run: () => go(board) },
      { keys: 'g r', does: 'Go to the reviews', run: () => go({ page: 'reviews' }) },
      { keys: 'g u', does: 'Go to the runs', run: () => go({ page: 'runs' }) },
      { keys: 'g a', does: 'Go to what needs attention', run: () => go({ page: 'attention' }) },
    ];
  }, []);
  useKeys(keys);
  const place = here.value;
  // Nothing is known of what waits without a sign-in.
  const waits = signedOut.value ? {} : counts.value;
  useEffect(() => {
    document.title = titleOf(place);
  }, [place]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Staffetta">
          <img src="/favicon.svg" alt="" width="22" height="22" />
          <span class="brand-name">Staffetta</span>
        </a>
        <nav aria-label="Pages">
          <NavLink to={board} on={place.page === 'board' || place.page === 'task'}>
            Board
          </NavLink>
          <NavLink to={{ page: 'runs' }} on={place.page === 'runs' || place.page === 'run'}>
            Runs
          </NavLink>
          <NavLink
            to={{ page: 'reviews' }}
            on={place.page === 'reviews' || place.page === 'review'}
            count={waits.reviews}
          >
            Reviews
          </NavLink>
          <NavLink to={{ page: 'attention' }} on={place.page === 'attention'} count={waits.attention}>
            Attention
          </NavLink>
        </nav>
        <SearchField />
        <span class={`connection connection-${signedOut.value ? 'over' : connection.value}`} role="status">
          {signedOut.value ? 'not live' : connectionWords[connection.value]}
        </span>
        {me.value === undefined || signedOut.value ? null : (
          <>
            <span class="me" title={`Signed in with these rights: ${me.value.verbs.join(', ')}`}>
              {me.value.actor.name}
            </span>
            <button type="button" class="plain" onClick={() => void signOut()}>
              {staysSignedIn.value ? 'Still signed in: try again' : 'Sign out'}
            </button>
          </>
        )}
        <button
          type="button"
          class="plain"
          aria-label="Show the keys"
          onClick={() => (helpIsOpen.value = true)}
        >
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {signedOut.value ? <SignedOut /> : <Page place={place} />}
      </main>
      <Help />
    </>
  );
}

function Page({ place }: { readonly place: Place }) {
  if (place.page === 'board') return <Board filter={place.filter} />;
  return pageOf(place);
}

function pageOf(place: Exclude<Place, { page: 'board' }>) {
  switch (place.page) {
    case 'task':
      return <Task key={place.task} place={place} />;
    case 'runs':
      return <Runs />;
    case 'run':
      return <Run key={place.task} task={place.task} />;
    case 'attention':
      return <Attention />;
    case 'reviews':
      return <Reviews />;
    case 'review':
      return <Review key={place.task} task={place.task} />;
    case 'search':
      return <Search place={place} />;
    case 'unknown':
      return (
        <div class="empty">
          <h1>Nothing is here</h1>
          <p>
            <code>{place.path}</code> is no page of the control room. <a href="/">Go to the board</a>
          </p>
        </div>
      );
  }
}

function SignedOut() {
  return (
    <div class="empty">
      <h1>Signed out</h1>
      <p>
        The sign-in is over. For a new link, where the server runs: <code>staffetta up --link</code>
      </p>
    </div>
  );
}

function NavLink({
  to,
  on,
  count,
  children,
}: {
  readonly to: Place;
  readonly on: boolean;
  readonly count?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <a href={addressOf(to)} aria-current={on ? 'page' : undefined}>
      {children}
      {count === undefined ? null : (
        <>
          {' '}
          <span class="count">
            {count}
            <span class="visually-hidden"> waiting</span>
          </span>
        </>
      )}
    </a>
  );
}

function SearchField() {
  const q = here.value.page === 'search' ? here.value.q : '';
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const words = new FormData(event.currentTarget).get('q');
        if (typeof words === 'string' && words.trim() !== '') go({ page: 'search', q: words.trim() });
      }}
    >
      <input
        type="search"
        name="q"
        id="search"
        aria-label="Search tasks, packets, notes and histories"
        placeholder="Search"
        key={q}
        defaultValue={q}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </form>
  );
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  field?.select();
}

function titleOf(place: Place): string {
  const name =
    place.page === 'task' || place.page === 'review' || place.page === 'run'
      ? place.task
      : place.page === 'search'
        ? `Search: ${place.q}`
        : place.page;
  return place.page === 'board' ? 'Staffetta' : `${name} · Staffetta`;
}
