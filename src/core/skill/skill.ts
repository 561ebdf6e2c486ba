/**
 * A skill: a folder with a SKILL.md, which says what it is for and how it is done, and with whatever lies beside that: scripts, samples.
 * Programs load it by the name of the folder. A packet holds the skills that its words and its contract name: the list of their files is
 * one of its facts, and each file is a blob. Paths are seen from the folder of the skill.
 */
import * as z from 'zod/mini';
import { Digest } from '../journal/digest.ts';
import { limits } from '../base/limits.ts';
import { collisions, pathFault } from '../tree/paths.ts';
import { Title } from '../base/text.ts';

export const skillPage = 'SKILL.md';

const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;

/** A name that is one folder wherever it is written. */
export function isSkillName(name: string): boolean {
  return namePattern.test(name) && pathFault(name) === undefined;
}

/** What is wrong with the files of a skill as a whole, in words; null where they can be written on any system. */
export function filesFault(paths: readonly string[]): string | null {
  if (!paths.includes(skillPage)) return `it has no ${skillPage}`;
  const folders = new Set(paths.flatMap((path) => foldersOf(path)));
  if (new Set(paths).size < paths.length || paths.some((path) => folders.has(path)))
    return 'two of its files have one name';
  if (collisions(paths).size > 0) return 'names of its files differ only by case or Unicode form';
  return null;
}

function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, n) => names.slice(0, n + 1).join('/'));
}

const Count = z.int().check(z.minimum(0));

const SkillPath = z.string().check(
  z.maxLength(limits.skillPathCharsMax),
  z.refine((path) => pathFault(path) === undefined, 'no path of a skill'),
);

const SkillFile = z.strictObject({
  path: SkillPath,
  blob: Digest,
  bytes: Count,
  executable: z.optional(z.literal(true)),
});
export type SkillFile = z.infer<typeof SkillFile>;

export const SealedSkill = z
  .strictObject({
    /** As the contract or the packet names it. */
    skill: Title,
    /** Of the folder: how programs call it. */
    name: z.string().check(z.refine(isSkillName, 'no name of a skill')),
    /** The workspace, or the program in whose own folder it lay. */
    from: Title,
    files: z.array(SkillFile).check(z.maxLength(limits.skillFilesMax)),
  })
  .check(z.refine(({ files }) => filesFault(files.map(({ path }) => path)) === null, 'no folder of a skill'));
export type SealedSkill = z.infer<typeof SealedSkill>;

export const SealedSkills = z.array(SealedSkill).check(
  z.maxLength(limits.skillsMax),
  z.refine(
    (skills) => skills.reduce((sum, { files }) => sum + files.length, 0) <= limits.skillFilesMax,
    'too many files of skills',
  ),
);

export function skillBlobs(skills: readonly SealedSkill[] = []): Digest[] {
  return skills.flatMap(({ files }) => files.map(({ blob }) => blob));
}

/** The names that a contract and a packet give, each once. */
export function namedSkills(
  contract: { readonly skills?: readonly string[] | undefined } | null,
  words: { readonly skills?: readonly string[] | undefined } | null,
): string[] {
  return [...new Set([...(contract?.skills ?? []), ...(words?.skills ?? [])])];
}
