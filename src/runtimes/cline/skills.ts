import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { agentHome, type Env } from './locate.ts';

/** Measured with 3.0.65, which tells its model the names alone before one is loaded. */
export function skillFolders(env: Env): SkillFolders {
  return {
    workspace: ['.agents/skills', '.cline/skills'],
    user: [join(agentHome(env), 'skills'), ...sharedSkills(env)],
    into: 'workspace',
  };
}
