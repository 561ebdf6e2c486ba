/** The files that a program reads its settings from, of this machine, the user and the repository; the later ones outweigh the earlier. */
import { dirname, join } from 'node:path';
import type { RuntimeName } from '../ports/runtime.ts';
import { parseTree, valueOf } from './edit/json-tree.ts';
import type { Homes } from './plan.ts';
import { parseToml } from './edit/toml-pieces.ts';

export type Settings = Readonly<Record<string, unknown>>;

export interface SettingsFile {
  readonly path: string;
  /**
   * `managed` and `user` are what they say, `shared` and `local` lie in the repository, `servers` is Claude Code's .mcp.json,
   * `state` what it keeps for itself, and `hooks` has nothing but hooks.
   */
  readonly role: 'managed' | 'user' | 'shared' | 'local' | 'servers' | 'state' | 'hooks';
}

export function settingsFiles(runtime: RuntimeName, { homes, env, homeFolder, root }: Homes): SettingsFile[] {
  const home = homes[runtime];
  if (home === undefined) return [];
  switch (runtime) {
    case 'claude-code': {
      const given = env['CLAUDE_CONFIG_DIR'] ?? '';
      return [
        { role: 'user', path: join(home, 'settings.json') },
        { role: 'shared', path: join(root, '.claude', 'settings.json') },
        { role: 'local', path: join(root, '.claude', 'settings.local.json') },
        { role: 'managed', path: join(machineFolder('ClaudeCode', 'claude-code'), 'managed-settings.json') },
        { role: 'servers', path: join(root, '.mcp.json') },
        { role: 'state', path: join(given === '' ? dirname(home) : home, '.claude.json') },
      ];
    }
    case 'codex':
      return [
        { role: 'managed', path: '/etc/codex/config.toml' },
        { role: 'user', path: join(home, 'config.toml') },
        { role: 'local', path: join(root, '.codex', 'config.toml') },
        { role: 'hooks', path: join(home, 'hooks.json') },
        { role: 'hooks', path: join(root, '.codex', 'hooks.json') },
      ];
    case 'gemini-cli': {
      const folder = machineFolder('GeminiCli', 'gemini-cli');
      const system = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '';
      return [
        { role: 'managed', path: join(folder, 'system-defaults.json') },
        { role: 'user', path: join(home, 'settings.json') },
        { role: 'local', path: join(root, '.gemini', 'settings.json') },
        { role: 'managed', path: system === '' ? join(folder, 'settings.json') : system },
      ];
    }
    case 'opencode': {
      const config = env['XDG_CONFIG_HOME'] ?? '';
      const folder = join(config === '' ? join(homeFolder, '.config') : config, 'opencode');
      const names = ['opencode.json', 'opencode.jsonc'];
      return [
        ...['config.json', ...names].map((name) => ({ role: 'user' as const, path: join(folder, name) })),
        ...names.map((name) => ({ role: 'local' as const, path: join(root, name) })),
        ...names.map((name) => ({ role: 'local' as const, path: join(root, '.opencode', name) })),
      ];
    }
  }
}

function machineFolder(mac: string, other: string): string {
  if (process.platform === 'darwin') return join('/Library/Application Support', mac);
  return process.platform === 'win32'
    ? join(process.env['ProgramData'] ?? 'C:\\ProgramData', mac === 'ClaudeCode' ? mac : other)
    : join('/etc', other);
}

/** Throws `NotJson` or `NotToml` where it makes no sense. */
export function parseSettings(path: string, text: string): Settings {
  const value = path.endsWith('.toml') ? parseToml(text) : text.trim() === '' ? {} : valueOf(parseTree(text));
  return tableOf(value);
}

export function tableOf(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

export function valueIn(settings: Settings, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => tableOf(value)[key], settings);
}

export function hasName(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}

/** Codex reads nothing in a repository whose folder the user's config.toml does not trust; seen with 0.166.0. */
export function isTrustedByCodex(config: Settings, root: string): boolean {
  return valueIn(config, ['projects', root, 'trust_level']) === 'trusted';
}
