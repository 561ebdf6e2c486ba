/** The files by which Claude Code is told of us, as 2.1.325 reads them. */
import { dirname, join } from 'node:path';
import { leaves } from '../../setup/edit/json-leave.ts';
import type { AgentSetup, Homes } from '../../setup/forms/agent-setup.ts';
import { toolNames } from '../../setup/forms/entries.ts';
import { serverEntryOf, type FoundServer } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { hasRule } from '../../setup/forms/kept-tools.ts';
import {
  hasName,
  machineFolder,
  ownPlugin,
  tableOf,
  valueIn,
  type ReadSettings,
  type SettingsTable,
  type SettingsFile,
} from '../../setup/forms/settings-files.ts';
import { decided } from '../../setup/forms/switched-off.ts';
import { folderTrust } from '../../setup/forms/notices.ts';

const name = 'staffetta';

export const setup: AgentSetup = {
  kinds: {
    'claude-hooks': jsonForm({ hooks: 'claude-code', leave: leaves['claude-hooks'] }),
    'claude-local': jsonForm({ hooks: 'claude-code', leave: leaves['claude-local'] }),
    'claude-mcp': jsonForm({ server: { path: ['mcpServers', name], more: { type: 'stdio' } } }),
  },
  files: (scope, home, { env, root }) =>
    scope === 'user'
      ? [
          ['claude-hooks', join(home, 'settings.json')],
          ['claude-mcp', stateFile(home, env)],
        ]
      : // Of this user alone: what lies in settings.json is everybody's who clones the repository.
        [
          ['claude-local', join(root, '.claude', 'settings.local.json')],
          ['claude-mcp', join(root, '.mcp.json')],
        ],
  settings: (home, { env, root }) => [
    { role: 'user', path: join(home, 'settings.json') },
    { role: 'shared', path: join(root, '.claude', 'settings.json') },
    { role: 'local', path: join(root, '.claude', 'settings.local.json') },
    { role: 'managed', path: join(machineFolder('ClaudeCode', 'claude-code'), 'managed-settings.json') },
    { role: 'servers', path: join(root, '.mcp.json') },
    { role: 'state', path: stateFile(home, env) },
  ],
  switchedOff: (files) =>
    decided(files.filter(isSettings), ['disableAllHooks'], true) ??
    decided(
      files.filter(({ role }) => role === 'managed'),
      ['allowManagedHooksOnly'],
      true,
    ),
  keepers: (settings) => ({
    'permissions.deny': (tool) => hasRule(valueIn(settings, ['permissions', 'deny']), tool),
  }),
  server: (files, root) => {
    const found = claudeServer(files, root);
    return found === undefined || isAllowed(files)
      ? found
      : { ...found, leave: 'mcp__staffetta in permissions.allow' };
  },
  plugin: (files) => {
    const last = files
      .filter(isSettings)
      .findLast(({ settings }) => ownPlugin(settings['enabledPlugins']) !== undefined);
    const [plugin, isOn] = ownPlugin(last?.settings['enabledPlugins']) ?? ['', false];
    if (last === undefined || isOn !== true) return undefined;
    return { path: last.path, remove: `claude plugin uninstall ${plugin}` };
  },
  notices: [{ kinds: ['claude-mcp'], scope: 'project', text: folderTrust }],
};

function stateFile(home: string, env: Homes['env']): string {
  return join((env['CLAUDE_CONFIG_DIR'] ?? '') === '' ? dirname(home) : home, '.claude.json');
}

function isSettings({ role }: SettingsFile): boolean {
  return role !== 'servers' && role !== 'state';
}

/** A name in `ask` outweighs the same in `allow`. */
function isAllowed(files: readonly ReadSettings[]): boolean {
  const isIn = (list: string, tool: string): boolean =>
    files.some(({ settings }) => hasRule(valueIn(settings, ['permissions', list]), tool));
  return toolNames.every((tool) => isIn('allow', tool) && !isIn('ask', tool));
}

/** What is kept for this folder alone outweighs the repository's .mcp.json, and that the user's own. */
function claudeServer(files: readonly ReadSettings[], root: string): FoundServer | undefined {
  const state = files.find(({ role }) => role === 'state');
  const here = state === undefined ? {} : tableOf(valueIn(state.settings, ['projects', root]));
  const local = valueIn(here, ['mcpServers', name]);
  const shared = files.find(
    ({ role, settings }) => role === 'servers' && valueIn(settings, ['mcpServers', name]) !== undefined,
  );
  const user = state === undefined ? undefined : valueIn(state.settings, ['mcpServers', name]);
  const off = hasName(here['disabledMcpServers'], name)
    ? {
        held: {
          why: `it is switched off for this folder in ${state?.path ?? ''}`,
          fix: 'Switch it on with /mcp in Claude Code if you want it.',
        },
      }
    : {};
  if (state !== undefined && local !== undefined) return { ...serverEntryOf(state.path, local), ...off };
  const pending = shared === undefined ? undefined : approvalMissing(files, here, root);
  // One that waits for approval is not started; the user's own is.
  if (shared !== undefined && (pending === undefined || user === undefined))
    return {
      ...serverEntryOf(shared.path, valueIn(shared.settings, ['mcpServers', name])),
      ...(pending === undefined ? off : { held: pending }),
    };
  return state === undefined || user === undefined
    ? undefined
    : { ...serverEntryOf(state.path, user), ...off };
}

/**
 * Claude Code starts a server of .mcp.json only if somebody approved it: in the settings of the user or the machine, or in those of a
 * repository whose folder is trusted. Seen with 2.1.325.
 */
function approvalMissing(
  files: readonly ReadSettings[],
  here: SettingsTable,
  root: string,
): FoundServer['held'] {
  const rejected = files.find(({ settings }) => hasName(settings['disabledMcpjsonServers'], name));
  if (rejected !== undefined)
    return { why: `it is rejected by disabledMcpjsonServers in ${rejected.path}`, fix: 'Take it out there.' };
  const approving = files.filter(
    ({ role, settings }) =>
      role !== 'state' &&
      role !== 'servers' &&
      (settings['enableAllProjectMcpServers'] === true || hasName(settings['enabledMcpjsonServers'], name)),
  );
  const isTrusted = here['hasTrustDialogAccepted'] === true;
  if (approving.some(({ role }) => isTrusted || role === 'user' || role === 'managed')) return undefined;
  return {
    why:
      approving.length > 0
        ? `it is approved in ${approving[0]?.path ?? ''}, but Claude Code does not trust the folder ${root} yet`
        : 'Claude Code waits for somebody to approve it',
    fix: `Start claude in ${root} once, and agree when it asks.`,
  };
}
