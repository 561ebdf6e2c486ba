/**
 * What the settings of Codex 0.166.0 give: `mcp_servers.NAME`, `approval_policy` and `sandbox_mode` of config.toml in its home, and in
 * `.codex` of the folder, which the program follows where it trusts the folder. A profile that says otherwise is not looked at.
 */
import { join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { settingsText } from '../settings-file.ts';

type Table = Readonly<Record<string, unknown>>;

export async function provisionsOf(home: string | null, folder: string): Promise<Provisions> {
  const unread: string[] = [];
  const read: Table[] = [];
  for (const base of [...(home === null ? [] : [home]), join(folder, '.codex')]) {
    const path = join(base, 'config.toml');
    const text = settingsText(path);
    if (text === null) continue;
    const table = text === undefined ? undefined : await tableIn(text);
    if (table === undefined) unread.push(path);
    else read.push(table);
  }
  const servers = new Map<string, boolean>();
  for (const { mcp_servers: given } of read)
    for (const [name, server] of Object.entries(asTable(given)))
      servers.set(name, asTable(server)['enabled'] !== false && servers.get(name) !== false);
  const last = (name: string): unknown => read.findLast((table) => table[name] !== undefined)?.[name];
  const said = ['approval_policy', 'sandbox_mode'].flatMap((name) => {
    const value = last(name);
    return typeof value === 'string' ? [`${name} ${value}`] : [];
  });
  return {
    servers: [...servers].filter(([, isOn]) => isOn).map(([name]) => name),
    denied: asTable(last('tools'))['web_search'] === false ? ['web_search'] : [],
    permissions: said.length === 0 ? null : said.join(', '),
    unread,
  };
}

/** Undefined where it is no TOML, or of a kind that is not understood. */
async function tableIn(text: string): Promise<Table | undefined> {
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function asTable(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}
