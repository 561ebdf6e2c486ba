import { realpathSync } from 'node:fs';
import type { Skills } from '../ports/skills.ts';
import { worktreeRoot } from '../home/locate.ts';
import { loadSkillFolders } from '../runtimes/load.ts';

/** The skills that programs find from a folder; loaded when one is first named. */
export function skillsAt(folder: string): Skills {
  const open = async (): Promise<Skills> => {
    const [{ openSkills }, places] = await Promise.all([
      import('../workspace/skill/open.ts'),
      loadSkillFolders(process.env),
    ]);
    return openSkills({ root: realOf(worktreeRoot(folder)), places });
  };
  let opened: Promise<Skills> | undefined;
  const skills = async (): Promise<Skills> => await (opened ??= open());
  return {
    find: async (...given) => await (await skills()).find(...given),
    pathOf: async (...given) => await (await skills()).pathOf(...given),
    place: async (...given) => await (await skills()).place(...given),
  };
}

/** A folder that is gone has no skills. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
