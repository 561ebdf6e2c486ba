/** The files of a store that lies in the workspace by another name than `.staffetta`: what we write there ourselves is nobody's work. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

const beside = /^(?:-wal|-shm|-journal|\.keys\/|\.tokens\/?|\.runs\/?|\.search|\.seen\.json)/;

export function ownFiles(root: string, store: string | undefined): (path: string) => boolean {
  const own = store === undefined ? undefined : within(root, store);
  if (own === undefined) return () => false;
  return (path) => path === own || (path.startsWith(own) && beside.test(path.slice(own.length)));
}

/** Its path from the root, as git writes paths. */
function within(root: string, store: string): string | undefined {
  if (!isAbsolute(store)) return undefined;
  const path = relative(root, join(real(dirname(store)), basename(store)));
  return path === '' || isAbsolute(path) || path.split(sep)[0] === '..'
    ? undefined
    : path.split(sep).join('/');
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
