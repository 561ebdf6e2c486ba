import { defined } from '../core/base/defined.ts';
import { realpathSync, statSync } from 'node:fs';
import { assert } from '../core/base/assert.ts';
import type { Digest } from '../core/journal/digest.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { isForged, pathFault, type NameRules } from '../core/tree/paths.ts';
import type { Workspace, WorkspaceContent } from '../ports/workspace.ts';
import { captureFolder } from './capture.ts';
import { readStart } from './git/committed.ts';
import { holdsCommit } from './git/objects.ts';
import { listIgnored } from './git/ignored.ts';
import { listUnwatched } from './git/unwatched.ts';
import { guardAgain, locateRepository, type Repository } from './git/locate.ts';
import { existsIn, runnableFrom } from './here.ts';
import { isPacketCopy, ownFiles } from './own-files.ts';
import { Looker } from './look.ts';
import { probe, type ProbePlace, type Probed } from './probe.ts';
import type { RestoreReached } from './restore/reached.ts';
import type { NoteRun } from './run/run.ts';

export type {
  Capture,
  CapturedDiff,
  CaptureOptions,
  ContentPiece,
  RestoreOptions,
  RestoreReport,
  RunEnd,
  RunOptions,
  RunReport,
  StoreContent,
  Workspace,
} from '../ports/workspace.ts';

export interface WorkspaceOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file of the store: it and what lies beside it in its name is never work, wherever it is. */
  readonly store?: string;
  /** Hears of the commands that are run. */
  readonly note?: NoteRun;
  /** How long one git command may take. */
  readonly gitMsMax?: number;
  /** How the file system that is restored to reads names; it is asked unless this tells. */
  readonly names?: NameRules;
  /** For tests that fail or kill a restore half-way. */
  readonly reached?: RestoreReached;
}

/** The workspace that a folder belongs to: the git working tree around it, else the folder itself. */
export async function openWorkspace(folder: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const env = options.env ?? process.env;
  const msMax = options.gitMsMax ?? limits.gitMsMax;
  const start = realFolder(folder);
  const repository = await locateRepository(start, { env, msMax });
  const root = repository?.root ?? start;
  const isOwn = ownFiles(root, options.store);
  const isWork = (path: string): boolean => !isOwn(path);
  let isFresh = true;
  const place = async (): Promise<ProbePlace> => {
    const guarded = repository === undefined || isFresh ? repository : await guardAgain(repository);
    isFresh = false;
    return { root, repository: guarded, isOwn };
  };
  /** For HEAD, a commit, and what git ignores: no filter or hook stands in the way of these, whatever was configured since. */
  const unguarded = (): Repository | undefined => {
    isFresh = false;
    return repository;
  };
  return {
    root,
    exists: (path) => existsIn(root, path),
    runnable: (program) => runnableFrom(root, program, env),
    async start() {
      return repository === undefined ? null : await readStart(repository);
    },
    async probe() {
      return (await probe(await place())).facts;
    },
    async content() {
      return await withContent(await place());
    },
    async ignored(globs) {
      const here = unguarded();
      return here === undefined ? [] : await listIgnored(here, globs);
    },
    async unwatched(since, about) {
      const here = unguarded();
      if (here === undefined) return { changed: [], left: 0, hidden: [] };
      const { changed, left, hidden } = await listUnwatched(here, since, about);
      const copies = new Set<string>();
      for (const path of changed) if (await isPacketCopy(root, path)) copies.add(path);
      const isTheirs = (path: string): boolean => isWork(path) && !copies.has(path);
      return { changed: changed.filter(isTheirs), left, hidden: hidden.filter(isWork) };
    },
    async at(path) {
      const fault = pathFault(path);
      if (fault !== undefined && isForged(fault)) return { type: 'absent' };
      const seen = await new Looker(root, { keep: false }).look(path);
      if (seen.type === 'file') return { type: 'file', digest: seen.digest };
      if (seen.type === 'link') return { type: 'link', target: seen.target };
      return { type: seen.type === 'unknown' ? 'unknown' : 'absent' };
    },
    async hasCommit(commit) {
      const here = unguarded();
      return here === undefined ? null : await holdsCommit(here, commit);
    },
    async capture(store, about) {
      return await captureFolder(await place(), store, about);
    },
    async restore(manifest, about) {
      const { restoreTree } = await import('./restore/restore.ts');
      return await restoreTree(await place(), manifest, about, {
        reached: options.reached,
        ...defined({ names: options.names }),
      });
    },
    async run(command, about = {}) {
      const { facts, content } = await withContent(await place());
      const { runCommand } = await import('./run/run.ts');
      const ran = await runCommand(root, command, { ...about, base: env, note: options.note });
      return {
        ...ran,
        content,
        before: facts.digest,
        after: await digestAfter(async () => await probe(await place())),
      };
    },
  };
}

async function withContent(place: ProbePlace): Promise<WorkspaceContent> {
  const { facts, content } = await probe(place, { content: true });
  assert(content !== undefined, 'the content was asked for');
  return { facts, content };
}

/** What a command printed must not be lost because it broke the repository. */
async function digestAfter(look: () => Promise<Probed>): Promise<Digest | null> {
  try {
    return (await look()).facts.digest;
  } catch (error) {
    if (isStaffettaError(error)) return null;
    throw error;
  }
}

function realFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch (cause) {
    throw new StaffettaError('workspace-missing', `There is no folder ${folder}.`, { cause });
  }
  throw new StaffettaError('workspace-missing', `${folder} is not a folder.`);
}
