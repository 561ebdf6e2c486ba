/**
 * Writing a skill into a folder of the workspace. It is written beside its place under a name that no program loads, and then renamed: what
 * lies there is whole. No component of the way is a link, or becomes one meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStaffettaError } from '../../core/base/error.ts';
import { pathFault } from '../../core/tree/paths.ts';
import { filesFault, isSkillName } from '../../core/skill/skill.ts';
import type { Placing, ReadySkill } from '../../ports/skills.ts';
import { withinFolder } from '../restore/real-folder.ts';
import { besideSkill } from './read-skill.ts';

export interface PlaceIn {
  readonly root: string;
  /** From the root, with slashes; empty for the root itself. */
  readonly folder: string;
  /** Whether git is told to ignore it. */
  readonly ignored: boolean;
  readonly dryRun: boolean;
}

export function placeSkill({ name, files }: ReadySkill, { root, folder, ignored, dryRun }: PlaceIn): Placing {
  const at = folder === '' ? join(root, name) : `${folder}/${name}`;
  const refused = (why: string): Placing => ({ outcome: 'refused', folder: at, why });
  const paths = files.map(({ path }) => path);
  // It was looked at when it was sealed and when it was read; what is written is looked at once more.
  if (!isSkillName(name) || paths.some((path) => pathFault(path) !== undefined))
    return refused('its name, or that of one of its files, leads elsewhere');
  const fault = filesFault(paths);
  if (fault !== null) return refused(fault);
  const way = folder === '' ? null : blocked(root, folder);
  if (way !== null) return refused(`${way} is not a folder`);
  if (dryRun) return { outcome: 'placed', folder: at };
  try {
    return withinFolder(
      root,
      folder,
      (base) => {
        const made = join(base, `.staffetta-${randomBytes(6).toString('hex')}`);
        try {
          write(made, files, ignored);
          // A folder that is not empty is not replaced by this.
          if (existsSync(join(base, name))) return { outcome: 'different', folder: at };
          renameSync(made, join(base, name));
          return { outcome: 'placed', folder: at };
        } finally {
          rmSync(made, { recursive: true, force: true });
        }
      },
      true,
    );
  } catch (error) {
    if (isStaffettaError(error)) return refused(error.message);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    return refused(`it could not be written (${code})`);
  }
}

/** The first component of the way that is something else than a folder; null where the way is free. */
function blocked(root: string, folder: string): string | null {
  const names = folder.split('/');
  for (let n = 1; n <= names.length; n += 1) {
    const part = names.slice(0, n).join('/');
    const found = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isDirectory()) return part;
  }
  return null;
}

function write(folder: string, files: ReadySkill['files'], beside: boolean): void {
  mkdirSync(folder);
  const own = new Set(files.map(({ path }) => path));
  if (beside)
    for (const [path, content] of besideSkill) if (!own.has(path)) writeFileSync(join(folder, path), content);
  for (const { path, content, executable } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx' });
    if (executable) chmodSync(file, 0o755);
  }
}
