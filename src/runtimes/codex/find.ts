/** The files of sessions: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, and those put aside in `archived_sessions`. */
import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

const depthMax = 4;
const pattern =
  /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(\.zst)?$/i;

export interface Found {
  readonly id: string;
  readonly path: string;
  /** Cold sessions may be kept compressed. */
  readonly compressed: boolean;
}

export function sessionFiles(home: string): Found[] {
  const found: Found[] = [];
  for (const folder of ['sessions', 'archived_sessions']) walk(join(home, folder), depthMax, found);
  return found;
}

/** The newest name wins where a session is there twice. */
export function findRollout(home: string, id: string): string | null {
  const paths = sessionFiles(home).filter((file) => file.id === id.toLowerCase() && !file.compressed);
  return (
    paths
      .map(({ path }) => path)
      .toSorted()
      .at(-1) ?? null
  );
}

function walk(folder: string, depth: number, found: Found[]): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const name = pattern.exec(entry.name);
    if (name !== null) {
      found.push({ id: (name[1] ?? '').toLowerCase(), path, compressed: name[2] !== undefined });
    } else if (entry.isDirectory() && depth > 1) walk(path, depth - 1, found);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
