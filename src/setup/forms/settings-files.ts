/** The files that a program reads its settings from, of this machine, the user and the repository; the later ones outweigh the earlier. */
import { join } from 'node:path';
import { readTextAt } from '../edit/file-bytes.ts';
import { parseTree, valueOf } from '../edit/json-tree.ts';
import { parseToml } from '../edit/toml-pieces.ts';

export type SettingsTable = Readonly<Record<string, unknown>>;

export type ReadSettings = SettingsFile & { readonly settings: SettingsTable };

export interface SettingsFile {
  readonly path: string;
  /**
   * `managed` and `user` are what they say, `shared` and `local` lie in the repository, `servers` is a file of MCP servers,
   * `state` what a program keeps for itself, and `hooks` has nothing but hooks.
   */
  readonly role: 'managed' | 'user' | 'shared' | 'local' | 'servers' | 'state' | 'hooks';
}

/** Where programs keep settings of a machine, by the names they have on each system. */
export function machineFolder(mac: string, other: string): string {
  if (process.platform === 'darwin') return join('/Library/Application Support', mac);
  return process.platform === 'win32'
    ? join(process.env['ProgramData'] ?? 'C:\\ProgramData', mac === 'ClaudeCode' ? mac : other)
    : join('/etc', other);
}

/** Throws `NotJson` or `NotToml` where it makes no sense. */
export function parseSettings(path: string, text: string): SettingsTable {
  const value = path.endsWith('.toml') ? parseToml(text) : text.trim() === '' ? {} : valueOf(parseTree(text));
  return tableOf(value);
}

export function tableOf(value: unknown): SettingsTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SettingsTable) : {};
}

export function valueIn(settings: SettingsTable, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => tableOf(value)[key], settings);
}

/** Ours, in a table whose keys are names of plugins with their marketplaces. */
export function ownPlugin(plugins: unknown): readonly [string, unknown] | undefined {
  return Object.entries(tableOf(plugins)).find(([name]) => name.startsWith('staffetta@'));
}

export function hasName(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}

/** What is said at a path; nothing where there is nothing, or what makes no sense. */
export function settingsAt(path: string): SettingsTable {
  try {
    return parseSettings(path, readTextAt(path) ?? '');
  } catch {
    return {};
  }
}
