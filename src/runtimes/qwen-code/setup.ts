/** The files by which Qwen Code is told of us, as 0.24.4 reads them. */
import { join } from 'node:path';
import type { AgentSetup } from '../../setup/forms/agent-setup.ts';
import { chosenServer } from '../../setup/forms/found-server.ts';
import { jsonForm } from '../../setup/forms/json-form.ts';
import { listed } from '../../setup/forms/kept-tools.ts';
import { machineFolder, tableOf, valueIn } from '../../setup/forms/settings-files.ts';
import { decided } from '../../setup/forms/switched-off.ts';

const serverPath = ['mcpServers', 'staffetta'];

export const setup: AgentSetup = {
  kinds: {
    'qwen-settings': jsonForm({ hooks: 'qwen-code', server: { path: serverPath, more: { trust: true } } }),
  },
  files: (scope, home, { root }) => [
    ['qwen-settings', join(scope === 'user' ? home : join(root, '.qwen'), 'settings.json')],
  ],
  settings: (home, { env, root }) => {
    const folder = machineFolder('QwenCode', 'qwen-code');
    const system = env['QWEN_CODE_SYSTEM_SETTINGS_PATH'] ?? '';
    const defaults = env['QWEN_CODE_SYSTEM_DEFAULTS_PATH'] ?? '';
    return [
      { role: 'managed', path: defaults === '' ? join(folder, 'system-defaults.json') : defaults },
      { role: 'user', path: join(home, 'settings.json') },
      { role: 'local', path: join(root, '.qwen', 'settings.json') },
      { role: 'managed', path: system === '' ? join(folder, 'settings.json') : system },
    ];
  },
  switchedOff: (files) => decided(files, ['disableAllHooks'], true),
  keepers: (settings) => listed(tableOf(valueIn(settings, serverPath)), 'excludeTools', 'includeTools'),
  server: (files) => chosenServer(files),
};
