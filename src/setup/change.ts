/** What init would change: the files as they are, and as they would be. */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { StaffettaError } from '../core/error.ts';
import type { OwnPaths } from './entries.ts';
import { withOurs, type Wish } from './files.ts';
import { NotJson } from './json-tree.ts';
import { tomlMarks } from './marked-block.ts';
import type { PlannedFile } from './plan.ts';

export interface Change extends PlannedFile {
  readonly before: string | null;
  readonly after: string | null;
}

const fileBytesMax = 16 * 1024 * 1024;

/** In the order of the files; the trust of Codex is given to its hooks as they will be. */
export function changesFor(files: readonly PlannedFile[], paths: OwnPaths): Change[] {
  const changes: Change[] = [];
  for (const file of files) {
    const before = textAt(file.path);
    const hooks = changes.findLast(({ kind }) => kind === 'codex-hooks');
    const wish: Wish = {
      paths,
      trusted: hooks === undefined ? null : { path: hooks.path, text: hooks.after ?? '' },
      server: !hasOwnServer(before),
    };
    changes.push({ ...file, before, after: attempt(file.path, () => withOurs(file.kind, before, wish)) });
  }
  return changes;
}

/** Somebody set the server up by hand; a table that is there twice would be an error. */
function hasOwnServer(config: string | null): boolean {
  const others = (config ?? '').split(tomlMarks.open)[0] ?? '';
  return /^\s*\[mcp_servers\.staffetta\]/m.test(others);
}

export function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new StaffettaError('invalid-input', `${path} cannot be changed: ${error.message}.`, {
      cause: error,
      details: { path },
      hint: 'Nothing was written. Put the file right, or leave its program out by naming another with --runtime.',
    });
  }
}

/** Null where there is no file. What is no file, or far too large for one of settings, is refused. */
export function textAt(path: string): string | null {
  const link = linkAt(path);
  if (link === undefined) return null;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true && stats.size <= fileBytesMax) return readFileSync(path, 'utf8');
  throw new StaffettaError('invalid-input', `${path} is no file that could be changed.`, {
    details: { path },
    hint: 'Nothing was written. See what lies there, or leave its program out by naming another with --runtime.',
  });
}

function linkAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be looked at.`, {
      details: { path },
      hint: 'Nothing was written. See who may enter the folders it lies in.',
      cause,
    });
  }
}

/** Where a path leads in the end: a link to a file of settings stays a link. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
