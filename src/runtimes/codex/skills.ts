import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { agentHome, type Env } from './locate.ts';

/** Measured with 0.166.0. */
export function skillFolders(env: Env): SkillFolders {
  const home = agentHome(env);
  return {
    workspace: ['.agents/skills', '.codex/skills'],
    user: [...(home === null ? [] : [join(home, 'skills')]), ...sharedSkills(env)],
    into: 'workspace',
  };
}
