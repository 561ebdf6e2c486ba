/** `store.db.seen.json`, mode 0600: the heads that `verify` saw last. A file that cannot be read or written remembers nothing. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { readSeen, writeSeen } from '../core/trust/witness.ts';
import type { SeenHeads } from '../handoff/trust/witness.ts';

export function seenFile(storePath: string): string {
  return `${storePath}.seen.json`;
}

export function seenHeads(path: string): SeenHeads {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '');
      return new Map(readSeen(text).map((one) => [one.task, one]));
    },
    async write(seen) {
      const beside = `${path}.${process.pid}.new`;
      try {
        await writeFile(beside, writeSeen(seen.values()), { mode: 0o600 });
        await rename(beside, path);
      } catch {
        // A place that is read-only or full: the next look compares with what was seen before.
        await rm(beside, { force: true }).catch(() => {});
      }
    },
  };
}
