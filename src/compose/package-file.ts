import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** A file of this package, where it is installed: found from the file that Node was started with. */
export function packageFile(path: string): string {
  const started = realpathSync(process.argv[1] ?? '.');
  const inside = dirname(started).split(sep).slice(-2).join('/') === 'dist/hook' ? '../..' : '..';
  return join(dirname(started), inside, ...path.split('/'));
}
