import { defined } from '../core/base/defined.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { NoteRun } from '../workspace/run/run.ts';
import { isStrictProject } from './project.ts';
import { noteRun, orphansOf } from './orphans.ts';
import { skillsAt } from './skills.ts';

/** Where the work of a context is done, what killed commands left running there, and the skills that programs find there. */
export function placeOfWork(
  given: string | Workspace | undefined,
  store: Pick<Store, 'url'>,
): Pick<Context, 'workspace' | 'orphans' | 'strict' | 'skills'> {
  const workspace = workspaceOf(given, store);
  return {
    ...defined({ workspace }),
    ...(typeof given === 'string'
      ? {
          orphans: orphansOf(store.url, given),
          strict: () => isStrictProject(given),
          skills: skillsAt(given),
        }
      : {}),
  };
}

/** A workspace that is opened, and whose code is loaded, when it is first needed. */
export function workspaceOf(
  given: string | Workspace | undefined,
  /** The store, which may be a file in it. */
  store?: Pick<Store, 'url'>,
): (() => Promise<Workspace>) | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'string') return async () => given;
  let opened: Promise<Workspace> | undefined;
  return async () => {
    opened ??= import('../workspace/open.ts').then(
      async ({ openWorkspace }) =>
        await openWorkspace(
          given,
          store === undefined ? {} : { store: store.url, note: noting(store.url, given) },
        ),
    );
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}

function noting(store: string, folder: string): NoteRun {
  return (command, mark) => noteRun(store, { what: command.join(' '), folder, leg: null }, mark).ended;
}
