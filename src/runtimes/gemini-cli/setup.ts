/** The files by which Gemini CLI is told of us, as 0.61.0 reads them. */
import { join } from 'node:path';
import type { AgentSetup } from '../../setup/forms/agent-setup.ts';
import { chosenServer } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { listed } from '../../setup/forms/kept-tools.ts';
import { machineFolder, settingsAt, tableOf, valueIn } from '../../setup/forms/settings-files.ts';
import { decided, named } from '../../setup/forms/switched-off.ts';

const serverPath = ['mcpServers', 'staffetta'];

export const setup: AgentSetup = {
  kinds: {
    'gemini-settings': jsonForm({ hooks: 'gemini-cli', server: { path: serverPath, more: { trust: true } } }),
  },
  files: (scope, home, { root }) => [
    ['gemini-settings', join(scope === 'user' ? home : join(root, '.gemini'), 'settings.json')],
  ],
  settings: (home, { env, root }) => {
    const folder = machineFolder('GeminiCli', 'gemini-cli');
    const system = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '';
    return [
      { role: 'managed', path: join(folder, 'system-defaults.json') },
      { role: 'user', path: join(home, 'settings.json') },
      { role: 'local', path: join(root, '.gemini', 'settings.json') },
      { role: 'managed', path: system === '' ? join(folder, 'settings.json') : system },
    ];
  },
  switchedOff: (files) =>
    decided(files, ['hooksConfig', 'enabled'], false) ?? named(files, ['hooksConfig', 'disabled']),
  keepers: (settings) => listed(tableOf(valueIn(settings, serverPath)), 'excludeTools', 'includeTools'),
  server: (files) => chosenServer(files),
  plugin: (_, { homes, exists }) => {
    const folder = join(homes['gemini-cli'] ?? '', 'extensions');
    const path = join(folder, 'staffetta', 'gemini-extension.json');
    if (!exists(path) || isDisabled(join(folder, 'extension-enablement.json'))) return undefined;
    return { path, remove: 'gemini extensions uninstall staffetta' };
  },
};

/** It keeps folders for which an extension is on, and with `!` those for which it is off. */
function isDisabled(path: string): boolean {
  const overrides = valueIn(settingsAt(path), ['staffetta', 'overrides']);
  return (
    Array.isArray(overrides) &&
    overrides.length > 0 &&
    overrides.every((one) => typeof one === 'string' && one.startsWith('!'))
  );
}
