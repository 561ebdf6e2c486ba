/** The files by which Copilot CLI is told of us, as 1.0.102 reads them. What lies in a repository it reads once its folder is trusted. */
import { join } from 'node:path';
import type { AgentSetup } from '../../setup/forms/agent-setup.ts';
import { serverEntryOf } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { folderTrust } from '../../setup/forms/notices.ts';
import { hasName, ownPlugin, tableOf, valueIn } from '../../setup/forms/settings-files.ts';
import { decided } from '../../setup/forms/switched-off.ts';

const serverPath = ['mcpServers', 'staffetta'];

export const setup: AgentSetup = {
  kinds: {
    'copilot-hooks': jsonForm({ hooks: 'copilot-cli' }),
    'copilot-mcp': jsonForm({ server: { path: serverPath, more: { type: 'local', tools: ['*'] } } }),
  },
  files: (scope, home, { root }) =>
    scope === 'user'
      ? [
          ['copilot-hooks', join(home, 'settings.json')],
          ['copilot-mcp', join(home, 'mcp-config.json')],
        ]
      : // Of this user alone: what lies in settings.json is everybody's who clones the repository.
        [
          ['copilot-hooks', join(root, '.github', 'copilot', 'settings.local.json')],
          ['copilot-mcp', join(root, '.github', 'mcp.json')],
        ],
  settings: (home, { root }) => [
    { role: 'user', path: join(home, 'settings.json') },
    { role: 'shared', path: join(root, '.github', 'copilot', 'settings.json') },
    { role: 'local', path: join(root, '.github', 'copilot', 'settings.local.json') },
    { role: 'servers', path: join(home, 'mcp-config.json') },
    { role: 'servers', path: join(root, '.mcp.json') },
    { role: 'servers', path: join(root, '.github', 'mcp.json') },
  ],
  switchedOff: (files) => decided(files, ['disableAllHooks'], true),
  keepers: (settings) => {
    const tools = tableOf(valueIn(settings, serverPath))['tools'];
    return Array.isArray(tools) ? { tools: (tool) => !hasName(tools, '*') && !hasName(tools, tool) } : {};
  },
  server: (files) => {
    const found = files.findLast(
      ({ role, settings }) => role === 'servers' && valueIn(settings, serverPath) !== undefined,
    );
    if (found === undefined) return undefined;
    const entry = serverEntryOf(found.path, valueIn(found.settings, serverPath));
    const off = files.find(({ settings }) => hasName(settings['disabledMcpServers'], 'staffetta'));
    if (off === undefined) return entry;
    const why = `disabledMcpServers in ${off.path} names it`;
    return { ...entry, held: { why, fix: 'Change that if you want it.' } };
  },
  plugin: (files) => {
    const last = files.findLast(({ settings }) => ownPlugin(settings['enabledPlugins']) !== undefined);
    const [plugin, isOn] = ownPlugin(last?.settings['enabledPlugins']) ?? ['', false];
    if (last === undefined || isOn !== true) return undefined;
    return { path: last.path, remove: `copilot plugin uninstall ${plugin}` };
  },
  notices: [{ kinds: ['copilot-hooks', 'copilot-mcp'], scope: 'project', text: folderTrust }],
};
