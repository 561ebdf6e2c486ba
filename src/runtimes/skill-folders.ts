/** Where the programs load skills from. All of them want a folder with a SKILL.md. */
import type { RuntimeName } from '../core/resume/runtime-names.ts';
import type { SkillFolders } from '../ports/skills.ts';
import { skillFolders as claudeCode } from './claude-code/skills.ts';
import { skillFolders as codex } from './codex/skills.ts';
import { skillFolders as geminiCli } from './gemini-cli/skills.ts';
import { skillFolders as opencode } from './opencode/skills.ts';

export function allSkillFolders(env: NodeJS.ProcessEnv): Readonly<Record<RuntimeName, SkillFolders>> {
  return {
    'claude-code': claudeCode(env),
    codex: codex(env),
    'gemini-cli': geminiCli(env),
    opencode: opencode(env),
  };
}
