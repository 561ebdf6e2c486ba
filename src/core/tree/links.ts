/**
 * Where links lead, followed step by step as a system follows them, and which names a path is reached by. Paths are relative to the
 * workspace root; nothing on disk is touched here: a `LinkTree` says what is a link.
 *
 * A link may point to or through other links, and up and down as it likes, as long as every step stays inside the workspace and
 * outside git's own folder and ours. What is not there is passed as if it were a folder: a link to nowhere is an ordinary one.
 */
import { exactNames, foldName, isGitName, targetFault, type NameRules, type UnsafeReason } from './paths.ts';

export interface LinkTree {
  /** The target of the link that lies at a path; undefined if nothing or something else does. */
  linkAt(path: string): string | undefined;
}

export type Landing =
  | {
      readonly path: string;
      /** Every path that is passed on the way, the end included: another thing in its place would lead elsewhere. */
      readonly steps: readonly string[];
    }
  | { readonly fault: UnsafeReason };

/** Systems give up after 32 to 63. */
const followedMax = 64;

/** Where a link at `path` with that target leads. The root is the empty path. */
export function landingOf(
  link: { readonly path: string; readonly target: string },
  tree: LinkTree,
  rules: NameRules = exactNames,
): Landing {
  const fault = targetFault(link.target, rules);
  if (fault !== undefined) return { fault };
  const at = link.path.split('/').slice(0, -1);
  const left = link.target.split('/').toReversed();
  const steps: string[] = [];
  for (let followed = 1; left.length > 0;) {
    const name = left.pop() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at.pop() === undefined) return { fault: 'link-outside' };
      continue;
    }
    if (isGitName(name)) return { fault: 'link-into-git' };
    if (at.length === 0 && foldName(name) === '.staffetta') return { fault: 'link-outside' };
    const step = [...at, name].join('/');
    steps.push(step);
    const next = tree.linkAt(step);
    if (next === undefined) at.push(name);
    else if (next.startsWith('/') || (rules.windows && /\\|^[A-Za-z]:/.test(next)))
      return { fault: 'link-outside' };
    else if (++followed > followedMax) return { fault: 'link-loop' };
    else left.push(...next.split('/').toReversed());
  }
  return { path: at.join('/'), steps };
}

/** More names than this, and nobody can say what a path is. */
const namesMax = 256;

export interface KnownLink {
  readonly path: string;
  readonly lands: string;
  readonly steps: readonly string[];
}

/** By which names paths are reached, given links and where each leads. A path on the way of a link bears the name of the link too. */
export class Names {
  readonly #landing = new Map<string, string[]>();
  readonly #passing = new Map<string, string[]>();

  constructor(links: Iterable<KnownLink>) {
    for (const { path, lands, steps } of links) {
      push(this.#landing, lands, path);
      for (const step of steps) if (step !== lands) push(this.#passing, step, path);
    }
  }

  /** Its own name first. Undefined if there are too many. */
  of(path: string): string[] | undefined {
    const found = [{ name: path, through: new Set<string>() }];
    const seen = new Set([path]);
    for (const { name, through } of found) {
      for (const link of this.#around(name)) {
        // Round and round through the same link there is nothing new.
        if (through.has(link.path)) continue;
        const other = link.path + link.rest;
        if (seen.has(other)) continue;
        if (seen.size >= namesMax) return undefined;
        seen.add(other);
        found.push({ name: other, through: new Set([...through, link.path]) });
      }
    }
    return [...seen];
  }

  /** The links that lead to a path or to a folder above it, and what is left of the path behind them. */
  #around(path: string): { readonly path: string; readonly rest: string }[] {
    const around: { path: string; rest: string }[] = [];
    const add = (lands: string, rest: string): void => {
      for (const link of this.#landing.get(lands) ?? []) around.push({ path: link, rest });
    };
    add(path, '');
    for (const link of this.#passing.get(path) ?? []) around.push({ path: link, rest: '' });
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
      add(path.slice(0, cut), path.slice(cut));
    add('', `/${path}`);
    return around;
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
