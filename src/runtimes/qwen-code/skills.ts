import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { sharedSkills } from '../shared-skills.ts';
import { agentHome, type Env } from './locate.ts';

/** Measured with 0.24.4, which loads those of Claude Code in a workspace as well. */
export function skillFolders(env: Env): SkillFolders {
  return {
    workspace: ['.agents/skills', '.qwen/skills', '.claude/skills'],
    user: [join(agentHome(env), 'skills'), ...sharedSkills(env)],
    into: 'workspace',
  };
}
