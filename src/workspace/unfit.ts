/** What lies in a tree and no restore would bring back, on any system: the giver is told when it is sealed, not the receiver when it is missing. */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { landingOf, type LinkTree } from '../core/tree/links.ts';
import { limits } from '../core/base/limits.ts';
import { exactNames, pathFault } from '../core/tree/paths.ts';
import type { LossReason } from '../core/tree/workspace.ts';
import type { IndexSide, GitItem } from './git/item.ts';
import type { Repository } from './git/locate.ts';
import { looseObject, objectContents, objectSizes } from './git/objects.ts';
import type { SeenPath } from './look.ts';

/** The links that lie in a tree on disk. */
function linksOn(root: string): LinkTree {
  return {
    linkAt: (path) => {
      try {
        const file = join(root, path);
        const found = lstatSync(file, { throwIfNoEntry: false });
        return found?.isSymbolicLink() === true ? readlinkSync(file) : undefined;
      } catch {
        // Nobody may look there, or a parent is a file: then there is no link to follow.
        return undefined;
      }
    },
  };
}

export function unfitReason(root: string, { path }: GitItem, seen: SeenPath): LossReason | undefined {
  if (pathFault(path, exactNames) !== undefined) return 'unsafe-name';
  if (seen.type !== 'link') return undefined;
  return 'fault' in landingOf({ path, target: seen.target }, linksOn(root)) ? 'unsafe-link' : undefined;
}

/** Paths where such a link is staged, or is one side of a conflict. */
export async function unfitStaged(repository: Repository, items: readonly GitItem[]): Promise<Set<string>> {
  const links = items.flatMap(({ path, index, stages }) =>
    [...(index ? [index] : []), ...(stages ?? [])].filter(isLink).map(({ oid }) => ({ path, oid })),
  );
  const contents = new Map<string, Buffer>();
  const asked = new Set<string>();
  for (const { oid } of links) {
    const target = looseObject(repository, oid, { type: 'blob', bytesMax: limits.pathBytesMax });
    if (target === undefined) asked.add(oid);
    else contents.set(oid, target);
  }
  const sizes = await objectSizes(repository, [...asked]);
  const short = [...sizes].filter(([, size]) => size <= limits.pathBytesMax);
  const bytes = short.reduce((sum, [, size]) => sum + size, 0);
  const oids = short.map(([oid]) => oid);
  for (const [oid, target] of await objectContents(repository, oids, bytes)) contents.set(oid, target);
  const tree = linksOn(repository.root);
  return new Set(
    links.flatMap(({ path, oid }) => {
      const target = contents.get(oid)?.toString('utf8');
      const fits = target !== undefined && 'path' in landingOf({ path, target }, tree);
      return fits ? [] : [path];
    }),
  );
}

function isLink({ mode }: IndexSide): boolean {
  return mode === '120000';
}
