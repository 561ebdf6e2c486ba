/**
 * What the settings of opencode 1.18.33 give: opencode.json or .jsonc in its folder of settings, in the one that OPENCODE_CONFIG names,
 * and of the folder, which counts more. Servers in `mcp`, unless `enabled` is false; tools in `tools` and `permission`.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { fieldsOf } from '../../core/transcript/loose-json.ts';
import { dig, namesIn, readSettings, type Settings } from '../settings-file.ts';
import type { Env } from './locate.ts';

export function provisionsOf(env: Env, folder: string): Provisions {
  const { files, unread } = readSettings(pathsOf(env, folder));
  const all = files.map(({ settings }) => settings);
  const servers = new Map<string, boolean>();
  const denied = new Map<string, boolean>();
  for (const settings of all) {
    for (const name of namesIn(settings, 'mcp'))
      servers.set(name, dig(settings, 'mcp', name, 'enabled') !== false);
    for (const name of namesIn(settings, 'tools')) denied.set(name, dig(settings, 'tools', name) === false);
    for (const name of namesIn(settings, 'permission'))
      denied.set(name, dig(settings, 'permission', name) === 'deny');
  }
  return { servers: kept(servers), denied: kept(denied), permissions: permissionsIn(all), unread };
}

function kept(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, is]) => (is ? [name] : []));
}

function pathsOf(env: Env, folder: string): string[] {
  const home = env['HOME'] ?? '';
  const base = env['XDG_CONFIG_HOME'] ?? '';
  const own = join(
    isAbsolute(base) ? base : join(isAbsolute(home) ? home : homedir(), '.config'),
    'opencode',
  );
  const named = env['OPENCODE_CONFIG'] ?? '';
  return [
    ...['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => join(own, name)),
    ...(isAbsolute(named) ? [named] : []),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      join(folder, name),
      join(folder, '.opencode', name),
    ]),
  ];
}

/** One word for all, or by tool; patterns of commands are counted and not told. */
function permissionsIn(all: readonly Settings[]): string | null {
  const value = all.map((settings) => dig(settings, 'permission')).findLast((one) => one !== undefined);
  if (typeof value === 'string') return value;
  const told = Object.entries(fieldsOf(value) ?? {}).map(([name, rule]) =>
    typeof rule === 'string'
      ? `${name} ${rule}`
      : `${name} by ${Object.keys(fieldsOf(rule) ?? {}).length} patterns`,
  );
  return told.length === 0 ? null : told.join(', ');
}
