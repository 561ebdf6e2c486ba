/** `store.db.seen.json`, mode 0600: the heads that `verify` saw last. A file that cannot be read or written remembers nothing. */
import { promises as files } from 'node:fs';
import { dirname } from 'node:path';
import type { SeenHeads } from '../handoff/trust/witness.ts';

export function seenHeads(path: string): SeenHeads {
  return {
    async read() {
      const { readSeen } = await import('../core/trust/witness.ts');
      const text = await files.readFile(path, 'utf8').catch(() => '');
      return new Map(readSeen(text).map((one) => [one.task, one]));
    },
    async write(seen) {
      const { writeSeen } = await import('../core/trust/witness.ts');
      const beside = `${path}.${process.pid}.new`;
      try {
        await files.mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await files.writeFile(beside, writeSeen(seen.values()), { mode: 0o600 });
        await files.rename(beside, path);
      } catch {
        // A place that is read-only or full: the next look compares with what was seen before.
        await files.rm(beside, { force: true }).catch(() => {});
      }
    },
  };
}
