import type { RuntimeName } from '../core/resume/runtime-names.ts';
import type { OpenPacked } from './workspace.ts';

/**
 * The skills of this machine, as programs find them: by the name of a folder, in the workspace and in folders of the user.
 * Looking changes nothing, follows no link out of the folders that are looked into, and never throws for what lies there.
 */
export interface Skills {
  /** In the workspace first, and where a program named `first` looks before others. Null where there is none of that name. */
  find(skill: string, first?: string): Promise<FoundSkill | UnfitSkill | null>;
  /** The page of a skill in the workspace, or the file of it that is meant, as a path of the workspace; null where there is neither. */
  pathOf(skill: string): Promise<string | null>;
  /**
   * Puts a skill where a program loads skills from: whole or not at all, and only where neither the workspace nor the user has one of
   * that name which the program would load. In the workspace git is told to ignore it, so that it is no part of the work; one that was
   * put there so is not there for a program whose skills are put into folders of the user.
   */
  place(skill: ReadySkill, options: PlaceOptions): Promise<Placing>;
}

/** Where a program loads skills from. */
export interface SkillFolders {
  /** Of the workspace: from its root, with slashes. */
  readonly workspace: readonly string[];
  readonly user: readonly string[];
  /** Of which of them a skill is put into the first. */
  readonly into: 'workspace' | 'user';
}

export interface FoundSkill {
  /** Of its folder. */
  readonly name: string;
  /** The workspace, or the program in whose folder it lies. */
  readonly from: string;
  readonly files: readonly FoundFile[];
  /** What lies there and cannot be carried. */
  readonly losses: readonly { readonly path: string; readonly why: string }[];
}

export interface FoundFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
  /** Only for an archive, a compressed file and other containers. */
  readonly packed?: OpenPacked;
}

/** It is there, and nothing of it can be carried. */
export interface UnfitSkill {
  readonly unfit: string;
}

export interface ReadySkill {
  readonly name: string;
  readonly files: readonly Pick<FoundFile, 'path' | 'content' | 'executable'>[];
}

export interface PlaceOptions {
  readonly runtime: RuntimeName;
  /** Only say what would happen. */
  readonly dryRun?: boolean;
}

/**
 * `placed`: it lies there now. `here`: it lay there already, the same. `different`: another one has its name there, and was left as it
 * is. `refused`: it must not be written, or could not be.
 */
export interface Placing {
  readonly outcome: 'placed' | 'here' | 'different' | 'refused';
  /** The folder: as a path of the workspace, or from the root where it is a folder of the user. */
  readonly folder: string;
  /** Only where it was refused. */
  readonly why?: string;
}
