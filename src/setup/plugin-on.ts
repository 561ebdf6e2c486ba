/** Our plugin, where a program has it switched on: it brings the same hooks and the same server as init. Seen with the real programs. */
import { join } from 'node:path';
import type { RuntimeName } from '../ports/runtime.ts';
import { textAt } from './edit/file-bytes.ts';
import type { Homes } from './plan.ts';
import { parseSettings, tableOf, valueIn, type Settings } from './settings-files.ts';
import type { ReadFile } from './switched-off.ts';

export interface PluginOn {
  readonly path: string;
  /** The command that takes it away. */
  readonly remove: string;
}

export function pluginOn(
  runtime: RuntimeName,
  files: readonly ReadFile[],
  homes: Homes,
): PluginOn | undefined {
  switch (runtime) {
    case 'claude-code': {
      const settings = files.filter(({ role }) => role !== 'state' && role !== 'servers');
      const last = settings.findLast(({ settings: said }) => ownIn(said['enabledPlugins']) !== undefined);
      const [name, isOn] = ownIn(last?.settings['enabledPlugins']) ?? ['', false];
      if (last === undefined || isOn !== true) return undefined;
      return { path: last.path, remove: `claude plugin uninstall ${name}` };
    }
    case 'codex': {
      const user = files.find(({ role }) => role === 'user');
      const [name, entry] = ownIn(user?.settings['plugins']) ?? ['', undefined];
      const isOff = valueIn(user?.settings ?? {}, ['features', 'plugins']) === false;
      if (user === undefined || isOff || name === '' || tableOf(entry)['enabled'] === false) return undefined;
      return { path: user.path, remove: `codex plugin remove ${name}` };
    }
    case 'gemini-cli': {
      const folder = join(homes.homes[runtime] ?? '', 'extensions');
      const path = join(folder, 'staffetta', 'gemini-extension.json');
      if (!homes.exists(path) || isDisabled(join(folder, 'extension-enablement.json'))) return undefined;
      return { path, remove: 'gemini extensions uninstall staffetta' };
    }
    case 'opencode':
      return undefined;
  }
}

/** Of a table whose keys are names of plugins with their marketplaces. */
function ownIn(plugins: unknown): readonly [string, unknown] | undefined {
  return Object.entries(tableOf(plugins)).find(([name]) => name.startsWith('staffetta@'));
}

/** Gemini CLI keeps folders for which it is on, and with `!` those for which it is off. */
function isDisabled(path: string): boolean {
  const overrides = valueIn(settingsAt(path), ['staffetta', 'overrides']);
  return (
    Array.isArray(overrides) &&
    overrides.length > 0 &&
    overrides.every((one) => typeof one === 'string' && one.startsWith('!'))
  );
}

function settingsAt(path: string): Settings {
  try {
    return parseSettings(path, textAt(path) ?? '');
  } catch {
    return {};
  }
}
