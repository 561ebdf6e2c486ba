/** The skills that programs find from a folder: in the workspace around it, and in folders of the user. */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exactNames, pathFault } from '../../core/tree/paths.ts';
import type { RuntimeName } from '../../core/resume/runtime-names.ts';
import { withHead } from '../../core/skill/head.ts';
import { isSkillName, skillPage } from '../../core/skill/skill.ts';
import type { Placing, ReadySkill, SkillFolders, Skills, UnfitSkill } from '../../ports/skills.ts';
import { existsIn } from '../here.ts';
import { inside } from '../inside.ts';
import { placeSkill } from './place-skill.ts';
import { isPlaced, readSkill, type ReadSkill } from './read-skill.ts';

export interface SkillGround {
  /** Of the workspace; as the system names it, without links. */
  readonly root: string;
  readonly places: Readonly<Record<RuntimeName, SkillFolders>>;
}

/** Where repositories keep skills that no program loads by itself. */
const plainFolder = 'skills';

export function openSkills(ground: SkillGround): Skills {
  const { root, places } = ground;
  return {
    async find(skill, first) {
      const found = [...inWorkspace(ground, skill, first), ...ofUser(ground, skill, first)].find(
        ({ folder }) => isFile(join(folder, skillPage)),
      );
      if (found === undefined) return null;
      const name = basename(found.folder);
      if (!isSkillName(name)) return { unfit: `${JSON.stringify(name)} is no name for a skill` };
      const read = await readAt(ground, found.folder);
      return 'unfit' in read ? read : { name, from: found.from, ...read };
    },

    async pathOf(skill) {
      const pages = inWorkspace(ground, skill).map(({ folder }) => inside(root, join(folder, skillPage)));
      return [...pages, skill].find((path) => path !== undefined && existsIn(root, path)) ?? null;
    },

    async place(skill, { runtime, dryRun = false }) {
      const { workspace, user, into } = places[runtime];
      const loaded = [...workspace.map((one) => join(root, one)), ...user];
      const there = isSkillName(skill.name)
        ? loaded.map((one) => join(one, skill.name)).filter((path) => lies(path))
        : [];
      for (const path of there) {
        const folder = inside(root, path) ?? path;
        if (!isSame(await readAt(ground, path), skill)) return { outcome: 'different', folder };
        // What was put into the workspace for another program is the same skill, and not where this one reads it.
        if (into === 'workspace' || !isPlaced(path)) return { outcome: 'here', folder };
      }
      return into === 'user'
        ? placeForUser(skill, user, dryRun)
        : placeSkill(skill, { root, folder: workspace[0] ?? '', ignored: true, dryRun });
    },
  };
}

/** A link to a folder of the user is the user's own. */
function placeForUser(skill: ReadySkill, [folder = '']: readonly string[], dryRun: boolean): Placing {
  try {
    if (!dryRun) mkdirSync(folder, { recursive: true });
  } catch {
    return { outcome: 'refused', folder: join(folder, skill.name), why: 'its folder could not be made' };
  }
  return placeSkill(skill, { root: realOf(folder) ?? folder, folder: '', ignored: false, dryRun });
}

/** A folder that may be that of a skill, and whose it is. */
interface Candidate {
  readonly folder: string;
  readonly from: string;
}

function inWorkspace({ root, places }: SkillGround, skill: string, first?: string): Candidate[] {
  if (pathFault(skill, exactNames) !== undefined) return [];
  const below = isSkillName(skill)
    ? [...inOrder(places, first).flatMap(([, { workspace }]) => workspace), plainFolder]
    : [];
  const asPath = basename(skill) === skillPage ? dirname(skill) : skill;
  // The workspace itself is no skill, whatever lies in it.
  return [...(asPath === '.' ? [] : [asPath]), ...below.map((folder) => `${folder}/${skill}`)].map(
    (path) => ({
      folder: join(root, path),
      from: 'workspace',
    }),
  );
}

function ofUser({ places }: SkillGround, skill: string, first?: string): Candidate[] {
  if (!isSkillName(skill)) return [];
  return inOrder(places, first).flatMap(([from, { user }]) =>
    user.map((folder) => ({ folder: join(folder, skill), from })),
  );
}

function inOrder(places: SkillGround['places'], first: string | undefined): [string, SkillFolders][] {
  return Object.entries(places).toSorted(([a], [b]) => Number(b === first) - Number(a === first));
}

/** Programs share skills by links from one of their folders into another: those are followed, and no others. */
async function readAt({ root, places }: SkillGround, folder: string): Promise<ReadSkill | UnfitSkill> {
  const real = realOf(folder);
  const around = [root, ...Object.values(places).flatMap(({ user }) => user.map(realOf))];
  const isWithin = around.some((one) => one !== null && real !== null && inside(one, real) !== undefined);
  if (real !== null && isWithin) return await readSkill(real);
  return { unfit: 'its folder is a link that leads out of the workspace and of the folders for skills' };
}

/** A page whose head was completed is the page that it was made of. */
function isSame(read: ReadSkill | UnfitSkill, { name, files }: ReadySkill): boolean {
  if ('unfit' in read || read.losses.length > 0 || read.files.length !== files.length) return false;
  const pageOf = (content: Uint8Array): string => withHead(Buffer.from(content).toString('utf8'), name);
  return files.every(({ path, content, executable }) => {
    const there = read.files.find((one) => one.path === path);
    if (there?.executable !== executable) return false;
    return path === skillPage
      ? pageOf(there.content) === pageOf(content)
      : Buffer.from(there.content).equals(content);
  });
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** A link that leads nowhere lies there as well. What cannot be looked at may be anything. */
function lies(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

function realOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}
