/** `store.db.seen.json`, mode 0600: the heads that `verify` saw last. A file that cannot be read or written remembers nothing. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSeen, writeSeen } from '../core/trust/witness.ts';
import type { SeenHeads } from '../handoff/trust/witness.ts';

export function seenHeads(path: string): SeenHeads {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '');
      return new Map(readSeen(text).map((one) => [one.task, one]));
    },
    async write(seen) {
      const beside = `${path}.${process.pid}.new`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(beside, writeSeen(seen.values()), { mode: 0o600 });
        await rename(beside, path);
      } catch {
        // A place that is read-only or full: the next look compares with what was seen before.
        await rm(beside, { force: true }).catch(() => {});
      }
    },
  };
}
