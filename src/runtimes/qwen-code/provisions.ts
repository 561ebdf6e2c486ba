/**
 * What the settings of Qwen Code 0.24.4 give: settings.json of the user, and in `.qwen` of the folder, which counts more. Servers in
 * `mcpServers`, of which `mcp.allowed` and `mcp.excluded` choose; tools that `permissions.deny` or `tools.exclude` take away; and the mode that
 * says what needs no approval. Extensions bring servers too, and are not looked at.
 */
import { join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { dig, namesIn, readSettings, settingsTexts } from '../settings-file.ts';
import { agentHome, type Env } from './locate.ts';

export function provisionsOf(env: Env, folder: string): Provisions {
  const paths = [agentHome(env), join(folder, '.qwen')].map((base) => join(base, 'settings.json'));
  const { files, unread } = readSettings(paths);
  const all = files.map(({ settings }) => settings);
  const texts = (...names: readonly string[]): string[] =>
    all.flatMap((settings) => settingsTexts(settings, ...names));
  const servers = new Set(all.flatMap((settings) => namesIn(settings, 'mcpServers')));
  const allowed = texts('mcp', 'allowed');
  const excluded = new Set(texts('mcp', 'excluded'));
  const mode = all
    .map((settings) => dig(settings, 'tools', 'approvalMode'))
    .findLast((value) => typeof value === 'string');
  const free = texts('permissions', 'allow').length;
  const said = [
    ...(mode === undefined ? [] : [`approval mode ${mode}`]),
    ...(free === 0 ? [] : [`${free} tools or commands allowed`]),
  ];
  return {
    servers: [...servers].filter(
      (name) => (allowed.length === 0 || allowed.includes(name)) && !excluded.has(name),
    ),
    // With a bracket it is a part of what a tool can do.
    denied: [...texts('tools', 'exclude'), ...texts('permissions', 'deny')].filter(
      (tool) => !tool.includes('('),
    ),
    permissions: said.length === 0 ? null : said.join(', '),
    unread,
  };
}
