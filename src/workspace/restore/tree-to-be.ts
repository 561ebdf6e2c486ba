/** The tree as it will be once some entries of a manifest are in it: where its links lead, and by which names its paths are reached. */
import { landingOf, Names, type KnownLink, type Landing, type LinkTree } from '../../core/tree/links.ts';
import { foldPath } from '../../core/tree/paths.ts';
import type { ManifestEntry } from '../../core/tree/workspace.ts';
import { parentOf } from '../look.ts';
import type { RestoreTarget } from './target.ts';

export class TreeToBe implements LinkTree {
  readonly #target: RestoreTarget;
  readonly #entries = new Map<string, ManifestEntry>();
  #names: Names | undefined;

  constructor(target: RestoreTarget, entries: readonly ManifestEntry[]) {
    this.#target = target;
    for (const entry of entries)
      if (entry.worktree !== undefined) this.#entries.set(this.#key(entry.path), entry);
  }

  linkAt(path: string): string | undefined {
    const entry = this.#entries.get(this.#key(path));
    if (entry === undefined) return this.#target.ground.linkAt(path);
    return entry.worktree?.type === 'link' ? entry.worktree.target : undefined;
  }

  landing(path: string, target: string): Landing {
    return landingOf({ path, target }, this, this.#target.names);
  }

  /** Its own name first. Undefined if there are more than anybody could look at. */
  namesOf(path: string): string[] | undefined {
    this.#names ??= new Names(this.#landings());
    return this.#names.of(path);
  }

  /** Links that git does not know, ignored ones say, are looked for in the root and beside what is written. */
  *#landings(): Generator<KnownLink> {
    const { links, ground } = this.#target;
    const folders = new Set(['', ...[...this.#entries.values()].map(({ path }) => parentOf(path))]);
    const all = new Set([
      ...links,
      ...[...folders].flatMap((folder) => ground.linksIn(folder)),
      ...[...this.#entries.values()].map(({ path }) => path),
    ]);
    for (const path of all) {
      const target = this.linkAt(path);
      if (target === undefined) continue;
      const landing = this.landing(path, target);
      if ('path' in landing) {
        yield { path, lands: landing.path, steps: landing.steps };
        continue;
      }
      const lands = ground.comesBack(path);
      if (lands !== undefined) yield { path, lands, steps: [] };
    }
  }

  #key(path: string): string {
    const { windows, caseless } = this.#target.names;
    return windows || caseless ? foldPath(path) : path;
  }
}
