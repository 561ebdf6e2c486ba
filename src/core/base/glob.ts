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

/**
 * Whether some path matches both, as far as names tell. Pairs of places are followed, one in each glob, a character at a time: as many as one is long times the
 * other, whatever stars they have.
 */
export function globsMeet(one: string, other: string): boolean {
  // Most name a path as it is: one of them is the other, or a folder that it lies in.
  if (!/[*?]/.test(one) && !/[*?]/.test(other))
    return globMatcher(one)(plainPath(other)) || globMatcher(other)(plainPath(one));
  const [a, b] = [meetingSteps(one), meetingSteps(other)];
  const seen = new Set<number>();
  const todo: (readonly [number, number])[] = [];
  const width = 2 * b.length + 2;
  const add = (pair: readonly [number, number]): void => {
    const key = (pair[0] + a.length) * width + pair[1] + b.length;
    if (seen.has(key)) return;
    seen.add(key);
    todo.push(pair);
  };
  const addAll = (left: ReadonlySet<number>, right: ReadonlySet<number>): void => {
    for (const i of left) for (const j of right) add([i, j]);
  };
  addAll(entered(a, 0), entered(b, 0));
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [i, j] = pair;
    if (isMet(a, i) && isMet(b, j)) return true;
    if (isPastFile(one, [a, i], b[j]) || isPastFile(other, [b, j], a[i])) continue;
    for (const char of charsAt(a[i], b[j])) addAll(followed(a, i, char), followed(b, j, char));
  }
  return false;
}

function plainPath(pattern: string): string {
  return spelled(pattern).replace(/^\//, '');
}

/** What matches a folder matches what is in it: a slash and anything may follow. */
const tail = ['/', '**'] as const;

function meetingSteps(pattern: string): Step[] {
  const rooted = spelled(pattern);
  const glob = rooted.replace(/^\*\*\//, '').replace(/^\//, '');
  return [...(isAnywhere(rooted) ? ['**/'] : []), ...stepsOf(glob), ...tail];
}

/** What is called like a file is a folder only for a glob that says so: `*.md` and `LICENSE` would meet in `x.md/LICENSE`. */
function isPastFile(
  pattern: string,
  [steps, place]: readonly [readonly Step[], number],
  other: Step | undefined,
): boolean {
  return (
    place === steps.length - tail.length && other !== '/' && /[^/.]\.[A-Za-z][A-Za-z0-9]*$/.test(pattern)
  );
}

/** Before the tail, or past it. */
function isMet(steps: readonly Step[], place: number): boolean {
  return place === steps.length - tail.length || place === steps.length;
}

/** A character that one of them asks for; where neither does, any that is a slash and any that is none. */
function charsAt(one: Step | undefined, other: Step | undefined): readonly string[] {
  const asked = [one, other].find((step) => step !== undefined && !/^[*?]/.test(step));
  return asked === undefined ? ['/', '\0'] : [asked];
}

function entered(steps: readonly Step[], place: number): Set<number> {
  const places = new Set<number>();
  enter(places, steps, place);
  return places;
}

function followed(steps: readonly Step[], place: number, char: string): Set<number> {
  const places = new Set<number>();
  follow(places, { steps, place, char });
  return places;
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
