/**
 * What the settings of Copilot CLI 1.0.102 give: servers of `mcp-config.json` of the user, and of `.mcp.json` and `.github/mcp.json` of the
 * folder. Which tools need no approval it is told when it is started, so that no settings say it. Plugins bring servers too, and are
 * not looked at.
 */
import { join } from 'node:path';
import type { Provisions } from '../../core/resume/provisions.ts';
import { namesIn, readSettings, settingsTexts } from '../settings-file.ts';
import { agentHome, type Env } from './locate.ts';

export function provisionsOf(env: Env, folder: string): Provisions {
  const home = agentHome(env);
  const servers = readSettings([
    join(home, 'mcp-config.json'),
    join(folder, '.mcp.json'),
    join(folder, '.github', 'mcp.json'),
  ]);
  const settings = readSettings([join(home, 'settings.json')]);
  const off = new Set(settings.files.flatMap((file) => settingsTexts(file.settings, 'disabledMcpServers')));
  const names = new Set(servers.files.flatMap((file) => namesIn(file.settings, 'mcpServers')));
  return {
    servers: [...names].filter((name) => !off.has(name)),
    denied: [],
    permissions: null,
    unread: [...servers.unread, ...settings.unread],
  };
}
