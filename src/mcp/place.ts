/** Where the work is: a store, opened when it is first needed, and the folder around it. A server outlives many commands. */
import { statSync } from 'node:fs';
import { refuseForeign } from '../home/foreign-store.ts';
import type { Located } from '../home/locate.ts';
import { openStore, sqlitePath } from '../compose/open-store.ts';
import type { Context } from '../handoff/record/context.ts';
import { contextOf } from '../desk/context.ts';
import type { Environment } from '../desk/standing.ts';

export interface Place {
  /** Where the store is or will be, for people. */
  readonly store: string;
  /** Null where no file of this machine may be named: callers from elsewhere. */
  readonly folder: string | null;
  exists(): boolean;
  /** The store, opened; one that is not there is created if asked. */
  context(options?: { readonly create?: boolean }): Promise<Context>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly store: Located;
  readonly folder: string;
  readonly env: Environment;
}

/** The store of a folder on this machine. One that was taken away or replaced since is opened anew, or missed. */
export function placeAt({ store: located, folder, env }: PlaceOptions): Place {
  const url = located.path;
  const path = url === 'memory:' ? url : sqlitePath(url);
  let opened: { readonly file: string; readonly context: Promise<Context> } | undefined;
  const open = async (create: boolean): Promise<Context> => {
    refuseForeign(located);
    return contextOf(await openStore(url, { create }), { workspace: folder, env });
  };
  const close = async (): Promise<void> => {
    const [before] = await Promise.allSettled([opened?.context]);
    opened = undefined;
    if (before.status === 'fulfilled') await before.value?.store.close();
  };
  return {
    store: path,
    folder,
    exists: () => path === 'memory:' || fileAt(path) !== '',
    async context({ create = false } = {}) {
      if (opened !== undefined && opened.file !== fileAt(path)) await close();
      if (opened !== undefined) return await opened.context;
      const context = open(create);
      try {
        await context;
      } catch (error) {
        if (opened === undefined) throw error;
      }
      // Two calls may open it at once; the first to be done is kept.
      if (opened === undefined) opened = { file: fileAt(path), context };
      else await (await context).store.close();
      return await opened.context;
    },
    close,
  };
}

/** Which file lies there, as far as the system tells them apart. */
function fileAt(path: string): string {
  if (path === 'memory:') return path;
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

/** A store that somebody else opened, and closes. */
export function placeOf(context: Context, folder: string | null): Place {
  return {
    store: context.store.url,
    folder,
    exists: () => true,
    context: async () => context,
    close: async () => {},
  };
}
