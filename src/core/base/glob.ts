/**
 * `*` and `?` within one component, `**` across them. A pattern without a slash matches a name at any depth, as in a `.gitignore`;
 * with one, it is read from the root. Whatever matches a folder matches what is in it.
 *
 * Globs come from contracts, and so from anybody. A regular expression made of one takes a time that grows with a power of the path's
 * length, one more for each star. Here all ways through the glob are followed at once, a character at a time: the time grows with the
 * length of the path times that of the glob.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const rooted = spelled(pattern);
  const anywhere = isAnywhere(rooted);
  const glob = rooted.replace(/^\*\*\//, '').replace(/^\//, '');
  // Most name a path as it is.
  if (!/[*?]/.test(glob))
    return anywhere
      ? (path) => `/${path}/`.includes(`/${glob}/`)
      : (path) => path === glob || path.startsWith(`${glob}/`);
  const steps: readonly Step[] = anywhere ? ['**/', ...stepsOf(glob)] : stepsOf(glob);
  return (path) => reaches(steps, path, isWholeOrFolder);
}

/** Whether something inside a folder could match, whatever lies there. */
export function globReaches(pattern: string): (folder: string) => boolean {
  const rooted = spelled(pattern);
  if (isAnywhere(rooted)) return () => true;
  const names = rooted.replace(/^\//, '').split('/');
  return (folder) => {
    for (const [i, name] of folder.split('/').entries()) {
      const given = names[i];
      if (given === undefined || given.includes('**')) return true;
      if (!reaches(stepsOf(given), name, isWhole)) return false;
    }
    return true;
  };
}

/** A character that stands for itself, or one of `**\/`, `**`, `*` and `?`. */
type Step = string;

function stepsOf(glob: string): Step[] {
  return glob.match(/\*\*\/|\*\*|[^]/g) ?? [];
}

/** Whether the steps can be gone through so that what is left of the path, from `at` on, is an end. */
function reaches(
  steps: readonly Step[],
  path: string,
  isEnd: (path: string, at: number) => boolean,
): boolean {
  // Where one may be: before a step, or, counted below zero, within the folders that a `**/` passes over.
  let here = new Set<number>();
  enter(here, steps, 0);
  for (let at = 0; ; at += 1) {
    if (here.has(steps.length) && isEnd(path, at)) return true;
    if (at === path.length || here.size === 0) return false;
    const next = new Set<number>();
    const char = path.charAt(at);
    for (const place of here) follow(next, { steps, place, char });
    here = next;
  }
}

/** A step that may stand for nothing is passed as well. */
function enter(places: Set<number>, steps: readonly Step[], place: number): void {
  for (let at = place; !places.has(at); at += 1) {
    places.add(at);
    const step = steps[at];
    if (step === '**/') places.add(-1 - at);
    if (step !== '**/' && step !== '**' && step !== '*') return;
  }
}

function follow(
  next: Set<number>,
  { steps, place, char }: { readonly steps: readonly Step[]; readonly place: number; readonly char: string },
): void {
  if (place < 0) {
    next.add(place);
    if (char === '/') enter(next, steps, -place);
    return;
  }
  const step = steps[place];
  if (step === '**' || (step === '*' && char !== '/')) enter(next, steps, place);
  else if (step === char || (step === '?' && char !== '/')) enter(next, steps, place + 1);
}

function isWhole(path: string, at: number): boolean {
  return at === path.length;
}

function isWholeOrFolder(path: string, at: number): boolean {
  return at === path.length || path.charAt(at) === '/';
}

function spelled(pattern: string): string {
  const parts = pattern.replace(/^(?:\.\/+)+/, '').replace(/\/{2,}/g, '/');
  return parts.endsWith('/') ? parts.slice(0, -1) : parts;
}

function isAnywhere(rooted: string): boolean {
  return !rooted.includes('/') || rooted.startsWith('**/');
}
