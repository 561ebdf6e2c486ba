import { join } from 'node:path';
import { defined } from '../core/base/defined.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { Integrate } from '../ports/integrate.ts';
import type { Trees } from '../ports/trees.ts';
import { dataFolder } from '../home/data-folder.ts';
import { homeOf, type Home } from '../home/home.ts';
import { takenHere } from '../home/taken-here.ts';
import type { WorkspaceOptions } from '../workspace/open.ts';
import type { NoteRun } from '../workspace/run/run.ts';
import { storeRedactor } from './redactor.ts';
import { isStrictProject } from './project.ts';
import { livingIn, noteRun, orphansOf } from '../process/orphans.ts';
import { skillsAt } from './skills.ts';

/** Where the work of a context is done, what killed commands left running there, and the skills that programs find there. */
export function placeOfWork(
  given: string | Workspace | undefined,
  store: Pick<Store, 'address'>,
): Pick<Context, 'workspace' | 'orphans' | 'strict' | 'skills' | 'takenHere' | 'progressTold'> {
  const workspace = workspaceOf(given, store);
  const home = homeOf(store.address);
  return {
    ...defined({ workspace }),
    ...(typeof given === 'string'
      ? {
          orphans: orphansOf(home?.runs, given),
          strict: () => isStrictProject(given),
          skills: skillsAt(given),
          progressTold: async (since) =>
            await (await import('./watched-notes.ts')).progressTold(given, since),
          ...(home === undefined ? {} : { takenHere: takenHere(home, given) }),
        }
      : {}),
  };
}

/** A workspace that is opened, and whose code is loaded, when it is first needed. */
export function workspaceOf(
  given: string | Workspace | undefined,
  /** The store, which may be a file in it. */
  store?: Pick<Store, 'address'>,
): (() => Promise<Workspace>) | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'string') return async () => given;
  let opened: Promise<Workspace> | undefined;
  return async () => {
    opened ??= import('../workspace/open.ts').then(
      async ({ openWorkspace }) =>
        await openWorkspace(given, store === undefined ? {} : around(homeOf(store.address), given)),
    );
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}

export interface CrewGround {
  readonly trees: Trees;
  readonly integrate: Integrate;
}

/**
 * Trees of the repository around a folder, and the queue by which they are integrated. They lie in the user's data folder: what this machine
 * keeps of a store may lie in the repository.
 */
export async function openCrewGround(
  folder: string,
  store: Store,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CrewGround> {
  const [{ openTrees }, { openIntegrate }] = await Promise.all([
    import('../workspace/trees/open.ts'),
    import('../workspace/integrate/open.ts'),
  ]);
  const runs = homeOf(store.address)?.runs;
  const redactor = storeRedactor(store, env);
  const options = {
    env,
    home: join(dataFolder(env), 'trees'),
    note: ((command, mark) =>
      noteRun(runs, { what: command.join(' '), folder, leg: null }, mark)) satisfies NoteRun,
    holdsSecret: async (bytes: Uint8Array): Promise<boolean> =>
      (await (await redactor()).bytes(bytes)).redactions.findings.length > 0,
  };
  const living = (tree: string): readonly number[] => livingIn(runs, tree);
  const [trees, integrate] = await Promise.all([
    openTrees(folder, { ...options, living }),
    openIntegrate(folder, options),
  ]);
  return { trees, integrate };
}

function around(home: Home | undefined, folder: string): Pick<WorkspaceOptions, 'store' | 'note'> {
  const note: NoteRun = (command, mark) =>
    noteRun(home?.runs, { what: command.join(' '), folder, leg: null }, mark);
  return { note, ...defined({ store: home?.file }) };
}
