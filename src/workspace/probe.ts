/** Looking without taking: the facts of a workspace, and what a capture needs to go on. */
import { defined } from '../core/base/defined.ts';
import type { Digest } from '../core/journal/digest.ts';
import { isStaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { byPath, type Loss, type WorkspaceFacts } from '../core/tree/workspace.ts';
import { contentOf } from './content.ts';
import { factsOf, type LookedPath, type SubmoduleState } from './facts.ts';
import { surveyFolder } from './folder-survey.ts';
import type { GitItem, Items } from './git/item.ts';
import type { Repository } from './git/locate.ts';
import { surveyGit, type FoundSubmodule, type GitSurvey } from './git/survey.ts';
import { isPacketCopy } from './own-files.ts';
import { Looker, type SeenPath } from './look.ts';

export interface ProbePlace {
  readonly root: string;
  readonly repository: Repository | undefined;
  /** Of the store, and never work. */
  readonly isOwn?: (path: string) => boolean;
}

export interface Probed {
  readonly facts: WorkspaceFacts;
  readonly survey: GitSurvey | undefined;
  /** All of them; the facts list only the first. */
  readonly losses: readonly Loss[];
  /** Only if asked for. */
  readonly content?: Digest;
}

/** Submodules within submodules: deeper ones are not looked into. */
const depthMax = 4;

export async function probe(
  place: ProbePlace,
  options: {
    readonly depth?: number;
    readonly indexed?: boolean;
    readonly content?: boolean;
    /** Told of each path as it is looked at; the content is there only if a visitor is. */
    readonly visit?: (item: GitItem, seen: SeenPath) => Promise<void>;
    /** Told before anything is looked at. */
    readonly surveyed?: (survey: GitSurvey | undefined, items: readonly GitItem[]) => void;
  } = {},
): Promise<Probed> {
  const { repository, root } = place;
  const survey =
    repository === undefined
      ? undefined
      : await surveyGit(repository, {
          indexed: options.indexed === true,
          sides: options.content === true || options.indexed === true,
          base: options.depth === undefined,
        });
  const items = survey?.items ?? surveyFolder(root);
  const losses: Loss[] = [];
  for (const item of items) if (await isOurs(place, item)) items.drop(item.path);
  const kept = withinCount(items, losses);
  options.surveyed?.(survey, kept);
  const submodules = await probeSubmodules(survey?.submodules ?? [], options.depth ?? 0, losses);
  const looker = new Looker(root, { keep: options.visit !== undefined });
  const looked: LookedPath[] = [];
  for (const item of kept) {
    const seen = await lookAt(looker, item);
    looked.push({ item, seen: seen.type === 'file' ? withoutContent(seen) : seen });
    if (seen.type === 'unknown') {
      losses.push({
        path: item.path,
        reason: seen.loss,
        ...defined({ bytes: seen.bytes }),
      });
    }
    await options.visit?.(item, seen);
  }
  losses.push(...items.losses);
  const content =
    options.content === true ? await contentOf({ survey, looked, submodules, losses }) : undefined;
  return {
    survey,
    losses,
    ...defined({ content }),
    facts: factsOf({
      kind: repository === undefined ? 'folder' : 'git',
      root,
      git: survey?.facts ?? null,
      looked,
      submodules,
      losses,
    }),
  };
}

async function isOurs({ root, isOwn }: ProbePlace, item: GitItem): Promise<boolean> {
  const { path, untracked, staged, unstaged } = item;
  if (isOwn === undefined) return false;
  if (untracked === true) return isOwn(path) || (await isPacketCopy(root, path));
  return staged === undefined && unstaged === 'modified' && (await isPacketCopy(root, path));
}

async function lookAt(looker: Looker, item: GitItem): Promise<SeenPath> {
  const seen = await looker.look(item.path);
  if (seen.type !== 'absent' && seen.type !== 'folder') return seen;
  // Git saw a file here a moment ago.
  const expected =
    item.submodule === undefined &&
    item.conflict === undefined &&
    (item.untracked === true ||
      (item.unstaged !== 'deleted' && item.staged !== 'deleted' && item.unstaged !== 'typechange'));
  return expected ? { type: 'unknown', loss: 'vanished' } : seen;
}

function withoutContent(seen: Extract<SeenPath, { type: 'file' }>): SeenPath {
  const { content: _, ...rest } = seen;
  return rest;
}

/** Tracked work first: a heap of generated files must not push it out. */
function withinCount(items: Items, losses: Loss[]): GitItem[] {
  const ordered = [...items].sort(
    (a, b) => Number(a.untracked === true) - Number(b.untracked === true) || byPath(a, b),
  );
  const left = new Map<string, number>();
  for (const { path } of ordered.slice(limits.captureFilesMax)) {
    const top = path.includes('/') ? path.slice(0, path.indexOf('/')) : path;
    left.set(top, (left.get(top) ?? 0) + 1);
  }
  for (const [path, files] of left) losses.push({ path, reason: 'too-many', files });
  return ordered.slice(0, limits.captureFilesMax);
}

async function probeSubmodules(
  found: readonly FoundSubmodule[],
  depth: number,
  losses: Loss[],
): Promise<SubmoduleState[]> {
  const states: SubmoduleState[] = [];
  for (const { path, commit, repository } of found) {
    if (repository === undefined || depth >= depthMax) {
      states.push({ path, commit, head: null, dirty: false, digest: undefined });
      continue;
    }
    const facts = await factsInside(repository, depth + 1);
    if (facts === undefined) {
      losses.push({ path, reason: 'unreadable' });
      states.push({ path, commit, head: null, dirty: false, digest: undefined });
      continue;
    }
    const head = facts.git?.head ?? null;
    const dirty = facts.changes.length > 0 || facts.git?.submodules.some((inner) => inner.dirty) === true;
    if (dirty) losses.push({ path, reason: 'submodule-dirty' });
    states.push({ path, commit, head, dirty, digest: dirty || head !== commit ? facts.digest : undefined });
  }
  return states.sort(byPath);
}

async function factsInside(repository: Repository, depth: number): Promise<WorkspaceFacts | undefined> {
  try {
    return (await probe({ root: repository.root, repository }, { depth })).facts;
  } catch (error) {
    if (isStaffettaError(error, 'workspace-unusable')) return undefined;
    throw error;
  }
}
