import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';

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
        await openWorkspace(given, store === undefined ? {} : { store: store.url }),
    );
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
}
