/** Which files init would change, for whom, and where. Nothing is read or written here. */
import { dirname, join } from 'node:path';
import type { RuntimeName } from '../ports/runtime.ts';
import type { FileKind } from './files.ts';

export const scopes = ['user', 'project'] as const;
export type Scope = (typeof scopes)[number];

export interface PlannedFile {
  readonly kind: FileKind;
  readonly path: string;
  /** Null for what is for all of them. */
  readonly runtime: RuntimeName | null;
  /** The repository that it is for; null where it is for the user. */
  readonly root: string | null;
  /** For codex-config: the hooks.json whose hooks are trusted in it. */
  readonly hooks?: string;
}

/** Whose a kind of file is; null for what is for all of them. */
export const runtimeOfKind: Readonly<Record<FileKind, RuntimeName | null>> = {
  'claude-hooks': 'claude-code',
  'claude-local': 'claude-code',
  'claude-mcp': 'claude-code',
  'codex-hooks': 'codex',
  'codex-config': 'codex',
  'gemini-settings': 'gemini-cli',
  'opencode-plugin': 'opencode',
  'opencode-config': 'opencode',
  agents: null,
};

export interface Homes {
  /** The folder of each program's data, as far as it is installed. */
  readonly homes: Partial<Readonly<Record<RuntimeName, string>>>;
  readonly env: NodeJS.ProcessEnv;
  readonly homeFolder: string;
  /** The workspace. */
  readonly root: string;
  /** Whether a file of opencode's settings is there under its other name. */
  readonly exists: (path: string) => boolean;
}

export function plannedFiles(runtime: RuntimeName, scope: Scope, place: Homes): PlannedFile[] {
  const home = place.homes[runtime];
  if (home === undefined) return [];
  const files = scope === 'user' ? userFiles(runtime, home, place) : projectFiles(runtime, home, place);
  const root = scope === 'user' ? null : place.root;
  const hooks = files.find(([kind]) => kind === 'codex-hooks')?.[1];
  return files.map(([kind, path]) => ({
    kind,
    path,
    runtime,
    root,
    ...(kind === 'codex-config' && hooks !== undefined ? { hooks } : {}),
  }));
}

type Named = readonly [FileKind, string];

function userFiles(runtime: RuntimeName, home: string, place: Homes): Named[] {
  switch (runtime) {
    case 'claude-code': {
      const given = place.env['CLAUDE_CONFIG_DIR'] ?? '';
      return [
        ['claude-hooks', join(home, 'settings.json')],
        ['claude-mcp', join(given === '' ? dirname(home) : home, '.claude.json')],
      ];
    }
    case 'codex':
      return [
        ['codex-hooks', join(home, 'hooks.json')],
        ['codex-config', join(home, 'config.toml')],
      ];
    case 'gemini-cli':
      return [['gemini-settings', join(home, 'settings.json')]];
    case 'opencode': {
      const config = place.env['XDG_CONFIG_HOME'] ?? '';
      const folder = join(config === '' ? join(place.homeFolder, '.config') : config, 'opencode');
      return [
        ['opencode-plugin', join(folder, 'plugins', 'staffetta.js')],
        ['opencode-config', settingsIn(folder, place)],
      ];
    }
  }
}

function projectFiles(runtime: RuntimeName, home: string, place: Homes): Named[] {
  const { root } = place;
  switch (runtime) {
    case 'claude-code':
      // Of this user alone: what lies in settings.json is everybody's who clones the repository.
      return [
        ['claude-local', join(root, '.claude', 'settings.local.json')],
        ['claude-mcp', join(root, '.mcp.json')],
      ];
    case 'codex':
      // Trust is the user's to give, and is kept with the user.
      return [
        ['codex-hooks', join(root, '.codex', 'hooks.json')],
        ['codex-config', join(home, 'config.toml')],
      ];
    case 'gemini-cli':
      return [['gemini-settings', join(root, '.gemini', 'settings.json')]];
    case 'opencode':
      return [
        ['opencode-plugin', join(root, '.opencode', 'plugins', 'staffetta.js')],
        ['opencode-config', settingsIn(root, place)],
      ];
  }
}

function settingsIn(folder: string, { exists }: Homes): string {
  const other = join(folder, 'opencode.jsonc');
  return exists(other) ? other : join(folder, 'opencode.json');
}

export function agentsFile(root: string): PlannedFile {
  return { kind: 'agents', path: join(root, 'AGENTS.md'), runtime: null, root };
}
