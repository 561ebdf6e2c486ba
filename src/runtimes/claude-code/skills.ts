import { join } from 'node:path';
import type { SkillFolders } from '../../ports/skills.ts';
import { agentHome, type Env } from './locate.ts';

/** Measured with 2.1.325. */
export function skillFolders(env: Env): SkillFolders {
  return { workspace: ['.claude/skills'], user: [join(agentHome(env), 'skills')], into: 'workspace' };
}
