/**
 * Reading the folder of a skill: every file below it, in order of path, as long as all of it is small enough. No link is followed, and
 * what cannot be carried is told by its path.
 */
import { defined } from '../../core/base/defined.ts';
import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/base/limits.ts';
import { isGitName, pathFault, pathFaultWords } from '../../core/tree/paths.ts';
import { filesFault } from '../../core/skill/skill.ts';
import { lossWords } from '../../core/tree/workspace.ts';
import type { FoundFile, FoundSkill, UnfitSkill } from '../../ports/skills.ts';
import { Unpacking } from '../packed.ts';
import { readFile } from '../read-file.ts';

/**
 * Beside a skill that was put into a workspace, and no part of it. Git ignores a folder with the first, and the first; the second tells
 * programs that search as git does, such as ripgrep, to look at the folder all the same.
 */
export const besideSkill: ReadonlyMap<string, Buffer> = new Map([
  ['.gitignore', Buffer.from('*\n')],
  ['.ignore', Buffer.from('!*\n/.gitignore\n/.ignore\n')],
]);

/** Whether it was put into a workspace by us: git ignores it there. */
export function isPlaced(folder: string): boolean {
  try {
    return besideSkill.get('.gitignore')?.equals(readFileSync(join(folder, '.gitignore'))) === true;
  } catch {
    return false;
  }
}

export type ReadSkill = Pick<FoundSkill, 'files' | 'losses'>;

/** The folder must be a real one: no component of it is a link. */
export async function readSkill(folder: string): Promise<ReadSkill | UnfitSkill> {
  const { paths, losses, isTooLarge } = walk(folder);
  if (isTooLarge) return tooMany;
  const files: FoundFile[] = [];
  const unpacking = new Unpacking();
  let bytesLeft: number = limits.skillBytesMax;
  for (const path of paths) {
    const read = await readFile(join(folder, path), {
      hashBytesMax: limits.skillBytesMax,
      keepBytesMax: bytesLeft,
      exact: true,
    });
    if ('loss' in read && read.loss !== 'too-large') {
      losses.push({ path, why: lossWords[read.loss] });
      continue;
    }
    if ('loss' in read || read.content === undefined) return tooLarge;
    const { content } = read;
    bytesLeft -= content.length;
    if (besideSkill.get(path)?.equals(content) === true) continue;
    const packed = unpacking.opener(content, path);
    const executable = (read.mode & 0o100) !== 0;
    files.push({ path, content, executable, ...defined({ packed }) });
  }
  const fault = filesFault(files.map(({ path }) => path));
  return fault === null ? { files, losses } : { unfit: fault };
}

const tooMany: UnfitSkill = { unfit: `it has more than the ${limits.skillFilesMax} files that are carried` };
const tooLarge: UnfitSkill = {
  unfit: `it is larger than the ${limits.skillBytesMax} bytes that are carried`,
};

interface Walked {
  readonly paths: string[];
  readonly losses: { readonly path: string; readonly why: string }[];
  readonly isTooLarge: boolean;
}

function walk(folder: string): Walked {
  const paths: string[] = [];
  const losses: Walked['losses'][number][] = [];
  const waiting = [''];
  let seen = 0;
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const entries = entriesOf(join(folder, at));
    if (entries === null) losses.push({ path: at === '' ? '.' : at, why: lossWords.unreadable });
    for (const entry of entries ?? []) {
      // A skill that was cloned is a repository of its own, and its history is no part of it.
      if (isGitName(entry.name)) continue;
      seen += 1;
      // Empty folders count as well: there may be any number of them.
      if (seen > 2 * limits.skillFilesMax || paths.length > limits.skillFilesMax)
        return { paths, losses, isTooLarge: true };
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      const why = whyNot(path, entry);
      if (why !== null) losses.push({ path, why });
      else if (entry.isDirectory()) waiting.push(path);
      else paths.push(path);
    }
  }
  return { paths: paths.toSorted(), losses, isTooLarge: paths.length > limits.skillFilesMax };
}

function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

function whyNot(path: string, entry: Dirent): string | null {
  const fault = pathFault(path);
  if (fault !== undefined || path.length > limits.skillPathCharsMax)
    return `cannot be written on every system: ${pathFaultWords[fault ?? 'too-long']}`;
  if (entry.isSymbolicLink()) return 'is a link, and links are not carried';
  return entry.isDirectory() || entry.isFile() ? null : lossWords.special;
}
