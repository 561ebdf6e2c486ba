import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import type { Env } from './locate.ts';

/** Measured with 1.18.33. It loads those of Claude Code as well. */
export function skillFolders(env: Env): SkillFolders {
  const home = env['HOME'] ?? homedir();
  const given = env['XDG_CONFIG_HOME'] ?? '';
  const settings = join(isAbsolute(given) ? given : join(home, '.config'), 'opencode');
  const own = [settings, join(home, '.opencode')].flatMap((folder) => [
    join(folder, 'skills'),
    join(folder, 'skill'),
  ]);
  return {
    workspace: ['.agents/skills', '.opencode/skills', '.opencode/skill', '.claude/skills'],
    user: [...own, ...sharedSkills(env), join(home, '.claude', 'skills')],
    into: 'workspace',
  };
}
