/** What init would change: the files as they are, and as they would be. */
import { StaffettaError } from '../core/base/error.ts';
import type { OwnPaths } from './forms/entries.ts';
import { fileAt } from './edit/file-bytes.ts';
import { withOurs } from './files.ts';
import { NotJson } from './edit/json-tree.ts';
import type { PlannedFile, Wish } from './forms/agent-setup.ts';
import { NotToml } from './edit/toml-pieces.ts';

export interface SettingsChange extends PlannedFile {
  readonly before: string | null;
  /** The same, byte for byte. */
  readonly bytes: Buffer | null;
  readonly after: string;
}

/** In the order of the files; one that leans on another is given that as it will be. */
export function changesFor(files: readonly PlannedFile[], paths: OwnPaths): SettingsChange[] {
  const changes: SettingsChange[] = [];
  for (const file of files) {
    const { bytes = null, text: before = null } = fileAt(file.path) ?? {};
    const hooks = changes.findLast(({ path }) => path === file.hooks);
    const wish: Wish = {
      paths,
      trusted: hooks === undefined ? null : { path: hooks.path, text: hooks.after },
    };
    const after = attempt(file.path, () => withOurs(file.form, before, wish));
    changes.push({ ...file, before, bytes, after });
  }
  return changes;
}

export function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof NotJson || error instanceof NotToml)) throw error;
    const manual = error instanceof NotToml ? error.hint : undefined;
    throw new StaffettaError('invalid-input', `${path} cannot be changed: ${error.message}.`, {
      cause: error,
      details: { path },
      hint:
        manual ??
        'Nothing was written. Put the file right, or leave its program out by naming another with --runtime.',
    });
  }
}
