/**
 * What the settings of Claude Code 2.1.325 give in a folder.
 *
 *   .claude.json in the home folder, or in CLAUDE_CONFIG_DIR   mcpServers; the same for a folder under projects
 *   .mcp.json of the folder                                   mcpServers, unless disabledMcpjsonServers names one
 *   settings.json of the user, and two in .claude of the folder   permissions: defaultMode, and rules
 */
import { dirname, join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { fieldsOf } from '../../core/transcript/loose-json.ts';
import { dig, namesIn, readSettings, settingsTexts } from '../settings-file.ts';
import { defaultHome, agentHome, type Env } from './locate.ts';

export function provisionsOf(env: Env, folder: string): Provisions {
  const home = agentHome(env);
  const own = join(home === defaultHome(env) ? dirname(home) : home, '.claude.json');
  const shared = join(folder, '.mcp.json');
  const ofFolder = ['settings.json', 'settings.local.json'].map((name) => join(folder, '.claude', name));
  const { files, unread } = readSettings([own, shared, join(home, 'settings.json'), ...ofFolder]);
  const at = (path: string) => files.find((file) => file.path === path)?.settings ?? null;
  const project = fieldsOf(dig(at(own), 'projects', folder));
  const rules = files.filter(({ path }) => path !== own && path !== shared).map(({ settings }) => settings);
  const off = new Set([
    ...settingsTexts(project, 'disabledMcpServers'),
    ...[project, ...rules].flatMap((settings) => settingsTexts(settings, 'disabledMcpjsonServers')),
  ]);
  const servers = [
    ...namesIn(at(own), 'mcpServers'),
    ...namesIn(project, 'mcpServers'),
    ...namesIn(at(shared), 'mcpServers'),
  ];
  const mode = rules.map((settings) => dig(settings, 'permissions', 'defaultMode')).findLast(isText);
  const denied = rules.flatMap((settings) => settingsTexts(settings, 'permissions', 'deny'));
  const counts = (['allow', 'ask', 'deny'] as const).flatMap((kind) => {
    const count = rules.flatMap((settings) => settingsTexts(settings, 'permissions', kind)).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const said = [mode ?? '', counts.length === 0 ? '' : `rules: ${counts.join(', ')}`].filter(Boolean);
  return {
    servers: [...new Set(servers)].filter((name) => !off.has(name)),
    // A rule with brackets takes away a part of what a tool can do.
    denied: denied.filter((rule) => /^[A-Za-z]+$/.test(rule)),
    permissions: said.length === 0 ? null : said.join('; '),
    unread,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
