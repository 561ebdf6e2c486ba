import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { agentHome, type Env } from './locate.ts';

/** Measured with 1.0.102. */
export function skillFolders(env: Env): SkillFolders {
  return {
    workspace: ['.agents/skills', '.github/skills', '.claude/skills'],
    user: [join(agentHome(env), 'skills'), ...sharedSkills(env)],
    into: 'user',
  };
}
