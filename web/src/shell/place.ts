/** Where one is, as an address and back. Every filter and every view has an address, so that all of it can be sent to somebody. */

export const taskViews = ['packet', 'diff', 'successor', 'history', 'journal', 'audit'] as const;
export type TaskView = (typeof taskViews)[number];

export interface BoardFilter {
  readonly lane?: string;
  /** A plain word: waiting, in work, needs you, done, stopped. */
  readonly status?: string;
  readonly holder?: string;
  readonly q?: string;
  /** Columns where nothing is said, else `list` or `graph`. */
  readonly view?: string;
  /** Everything that is over, and not only the latest. */
  readonly all?: true;
}

export type Place =
  | { readonly page: 'inbox' }
  | { readonly page: 'board'; readonly filter: BoardFilter }
  | { readonly page: 'overview' }
  | {
      readonly page: 'task';
      readonly task: string;
      readonly view: TaskView;
      /** A packet by its digest; the latest where none is named. */
      readonly packet?: string;
      /** An entry of the journal, a step of the history, or a file of the diff. */
      readonly at?: string;
      /** Only entries of the journal with an event of this type. */
      readonly type?: string;
      /** Only such steps of the history. */
      readonly show?: string;
      /** How many tokens the successor's briefing may have. */
      readonly budget?: string;
    }
  | { readonly page: 'runs' }
  | { readonly page: 'run'; readonly task: string }
  | { readonly page: 'reviews' }
  | { readonly page: 'review'; readonly task: string }
  | {
      readonly page: 'search';
      readonly q: string;
      readonly lane?: string;
      readonly status?: string;
      readonly holder?: string;
    }
  | { readonly page: 'unknown'; readonly path: string };

export function placeOf(address: string): Place {
  const url = new URL(address, 'http://localhost');
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const names = parts.map(decoded);
  const [first, second, third] = names;
  if (first === undefined) return { page: 'inbox' };
  if (first === 'board' && names.length === 1) return { page: 'board', filter: filterOf(url.searchParams) };
  if (first === 'overview' && names.length === 1) return { page: 'overview' };
  if (first === 'runs' && names.length === 1) return { page: 'runs' };
  if (first === 'runs' && second !== undefined && names.length === 2) return { page: 'run', task: second };
  if (first === 'reviews' && names.length === 1) return { page: 'reviews' };
  if (first === 'reviews' && second !== undefined && names.length === 2)
    return { page: 'review', task: second };
  if (first === 'search' && names.length === 1)
    return { page: 'search', q: url.searchParams.get('q') ?? '', ...given(url.searchParams, searchQuery) };
  if (first === 'tasks' && second !== undefined && names.length <= 3) {
    const view = taskViews.find((one) => one === (third ?? 'packet'));
    if (view !== undefined)
      return { page: 'task', task: second, view, ...given(url.searchParams, taskQuery) };
  }
  return { page: 'unknown', path: url.pathname };
}

export function addressOf(place: Place): string {
  switch (place.page) {
    case 'board':
      return `/board${queryOf({ ...place.filter, all: place.filter.all === true ? '1' : undefined })}`;
    case 'inbox':
      return '/';
    case 'overview':
    case 'runs':
    case 'reviews':
      return `/${place.page}`;
    case 'review':
      return `/reviews/${encodeURIComponent(place.task)}`;
    case 'run':
      return `/runs/${encodeURIComponent(place.task)}`;
    case 'search':
      return `/search${queryOf(place, ['q', ...searchQuery])}`;
    case 'task': {
      const view = place.view === 'packet' ? '' : `/${place.view}`;
      return `/tasks/${encodeURIComponent(place.task)}${view}${queryOf(place, taskQuery)}`;
    }
    case 'unknown':
      return place.path;
  }
}

const searchQuery = ['lane', 'status', 'holder'] as const;
const taskQuery = ['packet', 'at', 'type', 'show', 'budget'] as const;

function filterOf(query: URLSearchParams): BoardFilter {
  const filter = given(query, ['lane', 'status', 'holder', 'q', 'view']);
  return query.get('all') === '1' ? { ...filter, all: true } : filter;
}

function given<K extends string>(
  query: URLSearchParams,
  names: readonly K[],
): { readonly [N in K]?: string } {
  const found: { [N in K]?: string } = {};
  for (const name of names) {
    const value = query.get(name);
    if (value !== null && value !== '') found[name] = value;
  }
  return found;
}

function queryOf<K extends string>(
  from: { readonly [N in K]?: string | undefined },
  names: readonly K[] = Object.keys(from) as K[],
): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = from[name];
    if (value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
