import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { homeOf, type Environment } from './locate.ts';

/** Measured with 0.166.0. */
export function skillFolders(env: Environment): SkillFolders {
  const home = homeOf(env);
  return {
    workspace: ['.agents/skills', '.codex/skills'],
    user: [...(home === null ? [] : [join(home, 'skills')]), ...sharedSkills(env)],
    into: 'workspace',
  };
}
