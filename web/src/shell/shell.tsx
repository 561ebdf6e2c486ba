/** The frame around every page: where to go, what can be begun, whether it is live, who is signed in. */
import { useEffect, useMemo } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Beginning, beginning } from '../acts/beginning.tsx';
import { connection } from '../api/live.ts';
import { signedOut } from '../api/client.ts';
import { Board } from '../board/board.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { lazily } from '../parts/lazily.tsx';
import { Toast } from '../parts/toast.tsx';
import { Reviews } from '../review/queue.tsx';
import { Search } from '../search/search.tsx';
import { Help, helpIsOpen } from './help.tsx';
import { go, here } from './here.ts';
import { useKeys, type Binding } from './keys.ts';
import { may, me, signOut, staysSignedIn } from './me.ts';
import { openPalette, Palette, paletteKeys } from './palette.tsx';
import { addressOf, type Place } from './place.ts';
import { nextTheme, theme } from './theme.ts';
import { waitingCounts } from './waiting.ts';

const Task = lazily('the page', async () => (await import('../task/task.tsx')).Task);
const Run = lazily('the page', async () => (await import('../run/run.tsx')).Run);
const Runs = lazily('the page', async () => (await import('../run/runs.tsx')).Runs);
const Review = lazily('the page', async () => (await import('../review/review.tsx')).Review);
const Overview = lazily('the page', async () => (await import('../overview/overview.tsx')).Overview);

const connectionWords = { live: 'live', away: 'reconnecting', connecting: 'connecting' } as const;
const board: Place = { page: 'board', filter: {} };

export function Shell() {
  const mayDirect = may('direct');
  const keys = useMemo((): readonly Binding[] => {
    return [
      { keys: 'g n', does: 'Go to what needs you', run: () => go({ page: 'inbox' }) },
      { keys: 'g b', does: 'Go to the board', run: () => go(board) },
      { keys: 'g r', does: 'Go to the reviews', run: () => go({ page: 'reviews' }) },
      { keys: 'g u', does: 'Go to the runs', run: () => go({ page: 'runs' }) },
      { keys: 'g o', does: 'Go to the overview', run: () => go({ page: 'overview' }) },
      ...(mayDirect
        ? [
            { keys: 'N', does: 'New task', run: () => (beginning.value = { what: 'task' as const }) },
            {
              keys: 'C',
              does: 'Continue a session in another program',
              run: () => (beginning.value = { what: 'session' as const }),
            },
          ]
        : []),
      { keys: '/', does: 'Search', run: focusSearch },
      { keys: 'T', does: 'Another theme: light, dark, as the system has it', run: nextTheme },
      // Heard by the palette itself: also while somebody types.
      { keys: paletteKeys, does: 'Go to a page or a task, or do something', run: openPalette },
      { keys: '?', does: 'Show the keys', run: () => (helpIsOpen.value = true) },
    ];
  }, [mayDirect]);
  useKeys(keys);
  const place = here.value;
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
          <img src="/favicon.svg" alt="" width="20" height="20" />
          <span class="brand-name">Staffetta</span>
        </a>
        <Nav place={place} />
        <SearchField />
        {mayDirect && !signedOut.value ? (
          <button type="button" class="new" onClick={() => (beginning.value = { what: 'task' })}>
            New task
          </button>
        ) : null}
        <Menu />
      </header>
      <main id="main" tabIndex={-1}>
        {signedOut.value ? <SignedOut /> : <Page place={place} />}
      </main>
      <Toast place={place} />
      <Help />
      <Palette />
      <Beginning />
    </>
  );
}

function Nav({ place: { page } }: { readonly place: Place }) {
  // Nothing is known of what waits without a sign-in.
  const { all, reviews } = signedOut.value ? { all: 0, reviews: 0 } : waitingCounts.value;
  return (
    <nav aria-label="Pages">
      <NavLink to={{ page: 'inbox' }} on={page === 'inbox'} count={all}>
        Needs you
      </NavLink>
      <NavLink to={board} on={page === 'board' || page === 'task'}>
        Board
      </NavLink>
      <NavLink to={{ page: 'reviews' }} on={page === 'reviews' || page === 'review'} count={reviews}>
        Reviews
      </NavLink>
      <NavLink to={{ page: 'runs' }} on={page === 'runs' || page === 'run'}>
        Runs
      </NavLink>
      <NavLink to={{ page: 'overview' }} on={page === 'overview'}>
        Overview
      </NavLink>
    </nav>
  );
}

function Menu() {
  const isIn = me.value !== undefined && !signedOut.value;
  return (
    <div class="menu">
      <span class={`connection connection-${signedOut.value ? 'over' : connection.value}`} role="status">
        <span>{signedOut.value ? 'not live' : connectionWords[connection.value]}</span>
      </span>
      <button
        type="button"
        class="icon"
        title={`Theme: ${theme.value}`}
        aria-label={`Theme: ${theme.value}. Change it`}
        onClick={nextTheme}
      >
        {{ auto: '◐', light: '○', dark: '●' }[theme.value]}
      </button>
      <button
        type="button"
        class="icon for-keys"
        title="Go to, or do (Ctrl+K)"
        aria-label="Go to, or do"
        onClick={openPalette}
      >
        ⌘
      </button>
      <button
        type="button"
        class="icon for-keys"
        aria-label="Show the keys"
        onClick={() => (helpIsOpen.value = true)}
      >
        ?
      </button>
      {isIn ? (
        <>
          <span class="me" title={`Signed in with these rights: ${me.value?.verbs.join(', ')}`}>
            {me.value?.actor.name}
          </span>
          <button type="button" class="plain" onClick={() => void signOut()}>
            {staysSignedIn.value ? 'Still signed in: try again' : 'Sign out'}
          </button>
        </>
      ) : null}
    </div>
  );
}

function Page({ place }: { readonly place: Place }) {
  switch (place.page) {
    case 'inbox':
      return <Inbox />;
    case 'board':
      return <Board filter={place.filter} />;
    case 'overview':
      return <Overview />;
    case 'task':
      return <Task key={place.task} place={place} />;
    case 'runs':
      return <Runs />;
    case 'run':
      return <Run key={place.task} task={place.task} />;
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
            <code>{place.path}</code> is no page of the control room.
          </p>
          <p>
            <a href="/">See what needs you</a>, look at the <a href="/board">board</a>, or search above.
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
  count = 0,
  children,
}: {
  readonly to: Place;
  readonly on: boolean;
  readonly count?: number;
  readonly children: ComponentChildren;
}) {
  return (
    <a href={addressOf(to)} aria-current={on ? 'page' : undefined}>
      {children}
      {count === 0 ? null : (
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

const titles: Partial<Record<Place['page'], string>> = {
  inbox: 'Needs you',
  unknown: 'Nothing is here',
};

function titleOf(place: Place): string {
  const name =
    'task' in place
      ? place.task
      : place.page === 'search'
        ? `Search: ${place.q}`
        : (titles[place.page] ?? `${place.page[0]?.toUpperCase() ?? ''}${place.page.slice(1)}`);
  return `${name} · Staffetta`;
}
