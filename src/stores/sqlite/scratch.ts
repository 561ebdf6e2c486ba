import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../../core/base/defined.ts';
import { digestBytes } from '../../core/journal/digest.ts';
import { spoilBytes, type Scratch } from '../../ports/scratch.ts';
import { openSqliteStore } from './open.ts';
import { journalModeOf } from './secure.ts';

/** A database in the folder that is beside, journaled as the given one is, where there is one. */
export function sqliteScratch(like: string, beside: string): Scratch {
  const journal = defined({ journal: journalModeOf(like) });
  const folder = mkdtempSync(join(nearestFolder(beside), '.conformance-'));
  const path = join(folder, 'store.db');
  return {
    connect: async () => await openSqliteStore(path, { create: true, ...journal }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
    damage: async (digest, how) => {
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const db = new DatabaseSync(path);
      try {
        const row = db.prepare('SELECT data FROM blob WHERE digest = ?').get(digestBytes(digest));
        if (!(row?.['data'] instanceof Uint8Array)) throw new Error(`There is no blob ${digest} to damage.`);
        const update = db.prepare('UPDATE blob SET data = ? WHERE digest = ?');
        update.run(spoilBytes(row['data'], how), digestBytes(digest));
      } finally {
        db.close();
      }
    },
  };
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
