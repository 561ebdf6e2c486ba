/** Where Codex keeps its data and where its program is. Nothing is started. */
import { isAbsolute, join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn, withFoldersIn } from '../unreadable.ts';
import { readQuietly } from './open-quietly.ts';

const settingsBytesMax = 1024 * 1024;

export type Env = Readonly<Record<string, string | undefined>>;

/** CODEX_HOME, or `.codex` in the home folder; null where neither is told. */
export function agentHome(env: Env): string | null {
  const given = env['CODEX_HOME'];
  if (given !== undefined && given !== '') return isAbsolute(given) ? given : null;
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home === undefined || !isAbsolute(home) ? null : join(home, '.codex');
}

export function locate(env: Env): Installation | null {
  const home = agentHome(env);
  const program = programOnPath('codex', env);
  if (home === null || (!isFolder(home) && program === null)) return null;
  // By year, month and day.
  const folders = [home, ...withFoldersIn(join(home, 'sessions'), 3), join(home, 'archived_sessions')];
  return { home, program, ...unreadableIn(folders) };
}

/**
 * Who serves the model by the program's settings: `model_provider = "name"` at the top of config.toml, above all tables. A profile
 * that names another one is not looked at.
 */
export function providerOf(home: string): string {
  const settings = readQuietly(join(home, 'config.toml'), settingsBytesMax) ?? '';
  const top = settings.split(/^[ \t]*\[/m, 1)[0] ?? '';
  return (
    /^[ \t]*model_provider[ \t]*=[ \t]*(?:"([^"\\\n]+)"|'([^'\n]+)')/m.exec(top)?.slice(1).find(Boolean) ??
    'openai'
  );
}
