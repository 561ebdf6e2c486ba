import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As little of a repository as git takes for one, without starting it. */
export function bareBones(folder: string): void {
  for (const part of ['objects', 'refs']) mkdirSync(join(folder, '.git', part), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}
