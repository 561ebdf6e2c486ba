/** Files in the workspace that we write ourselves, which is nobody's work: those of a store that lies there by another name than `.staffetta`, and packets as files. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

const beside =
  /^(?:-wal|-shm|-journal|\.keys\/|\.tokens\/?|\.runs\/?|\.(?:taken|exhausted|let-be)\/?|\.search|\.seen\.json)/;

export function ownFiles(root: string, store: string | undefined): (path: string) => boolean {
  const own = store === undefined ? undefined : within(root, store);
  if (own === undefined) return () => false;
  return (path) => path === own || (path.startsWith(own) && beside.test(path.slice(own.length)));
}

/** HANDOFF.md or progress.json as `brief --write` left it: a copy of what the store holds. An edited one is somebody's. */
export async function isPacketCopy(root: string, path: string): Promise<boolean> {
  const name = basename(path);
  if (name !== 'HANDOFF.md' && name !== 'progress.json') return false;
  const text = smallText(join(root, path));
  if (text === undefined) return false;
  if (name === 'progress.json') return (await import('../core/files/progress-file.ts')).isOwnProgress(text);
  return !(await import('../core/files/handoff-markdown.ts')).handoffEdits(text).edited;
}

const copyBytesMax = 4 * 1024 * 1024;

function smallText(file: string): string | undefined {
  try {
    const found = lstatSync(file);
    return found.isFile() && found.size <= copyBytesMax ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // It went away, or may not be read: then it is looked at as any other.
    return undefined;
  }
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
