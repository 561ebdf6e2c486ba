/** What keeps a program from running our hooks, in any of the files that it reads. */
import type { RuntimeName } from '../ports/runtime.ts';
import { hasName, valueIn, type Settings, type SettingsFile } from './settings-files.ts';

export type ReadFile = SettingsFile & { readonly settings: Settings };

export interface SwitchedOff {
  readonly path: string;
  readonly setting: string;
}

export function switchedOff(runtime: RuntimeName, files: readonly ReadFile[]): SwitchedOff | undefined {
  switch (runtime) {
    case 'claude-code':
      return (
        decided(files.filter(isClaudeSettings), ['disableAllHooks'], true) ??
        decided(
          files.filter(({ role }) => role === 'managed'),
          ['allowManagedHooksOnly'],
          true,
        )
      );
    case 'codex':
      return (
        decided(files, ['features', 'hooks'], false) ?? decided(files, ['features', 'codex_hooks'], false)
      );
    case 'gemini-cli':
      return decided(files, ['hooksConfig', 'enabled'], false) ?? named(files, ['hooksConfig', 'disabled']);
    case 'opencode':
      return undefined;
  }
}

function isClaudeSettings({ role }: SettingsFile): boolean {
  return role !== 'servers' && role !== 'state';
}

/** The last file that says anything about it decides. */
function decided(files: readonly ReadFile[], path: readonly string[], off: boolean): SwitchedOff | undefined {
  const last = files.findLast(({ settings }) => valueIn(settings, path) !== undefined);
  if (last === undefined || valueIn(last.settings, path) !== off) return undefined;
  return { path: last.path, setting: `${path.join('.')} = ${String(off)}` };
}

function named(files: readonly ReadFile[], path: readonly string[]): SwitchedOff | undefined {
  const found = files.find(({ settings }) => hasName(valueIn(settings, path), 'staffetta'));
  return found === undefined ? undefined : { path: found.path, setting: path.join('.') };
}
