import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { programData, type Env } from './locate.ts';

/**
 * Measured with 0.61.0. Its tools read no file that git ignores, and in a folder that the user does not trust it loads those of the user
 * alone: there they are put.
 */
export function skillFolders(env: Env): SkillFolders {
  const home = programData(env);
  return {
    workspace: ['.agents/skills', '.gemini/skills'],
    user: [...(home === null ? [] : [join(home, 'skills')]), ...sharedSkills(env)],
    into: 'user',
  };
}
