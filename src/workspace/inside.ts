import { isAbsolute, relative, sep } from 'node:path';

/** A path as seen from the root, with slashes; undefined if it is not inside. The root itself is the empty path. */
export function inside(root: string, path: string): string | undefined {
  const way = relative(root, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way.split(sep).join('/');
}
