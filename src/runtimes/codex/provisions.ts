/**
 * What the settings of Codex 0.166.0 give: `mcp_servers.NAME`, `approval_policy` and `sandbox_mode` of config.toml in its home, and in
 * `.codex` of the folder, which the program follows where it trusts the folder. A profile that says otherwise is not looked at.
 */
import { join } from 'node:path';
import type { Provisions } from '../../core/provisions.ts';
import { textOf } from '../settings-file.ts';
import { namesOf, type TomlEntry } from './toml.ts';

export function provisionsOf(home: string | null, folder: string): Provisions {
  const unread: string[] = [];
  const entries: TomlEntry[] = [];
  for (const base of [...(home === null ? [] : [home]), join(folder, '.codex')]) {
    const path = join(base, 'config.toml');
    const text = textOf(path);
    if (text === null) continue;
    const read = namesOf(text ?? '');
    entries.push(...read.entries);
    if (text === undefined || !read.whole) unread.push(path);
  }
  const off = new Set(switchedOff(entries));
  const named = entries.flatMap(({ path: [first, name] }) =>
    first === 'mcp_servers' && name !== undefined ? [name] : [],
  );
  const said = ['approval_policy', 'sandbox_mode'].flatMap((name) => {
    const value = entries.findLast(({ path }) => path.length === 1 && path[0] === name)?.value;
    return typeof value === 'string' ? [`${name} ${value}`] : [];
  });
  return {
    servers: [...new Set(named)].filter((name) => !off.has(name)),
    denied: isOff(entries, 'tools', 'web_search') ? ['web_search'] : [],
    permissions: said.length === 0 ? null : said.join(', '),
    unread,
  };
}

function switchedOff(entries: readonly TomlEntry[]): string[] {
  return entries.flatMap(({ path: [first, name, setting], value }) =>
    first === 'mcp_servers' && name !== undefined && setting === 'enabled' && value === false ? [name] : [],
  );
}

function isOff(entries: readonly TomlEntry[], ...path: readonly string[]): boolean {
  return entries.findLast((entry) => entry.path.join('\0') === path.join('\0'))?.value === false;
}
