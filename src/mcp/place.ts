/** Where the work is: a store, opened when it is first needed, and the folder around it. A server outlives many commands. */
import { refuseForeign } from '../home/foreign-store.ts';
import { fileMark, homeOf } from '../home/home.ts';
import type { Located } from '../home/locate.ts';
import { openStore } from '../compose/open-store.ts';
import type { Context } from '../handoff/record/context.ts';
import { closeContext, contextOf } from '../desk/context.ts';
import type { Environment } from '../desk/standing.ts';

export interface WorkPlace {
  /** Where the store is or will be, for people. */
  readonly store: string;
  /** Null where no file of this machine may be named: callers from elsewhere. */
  readonly folder: string | null;
  exists(): boolean;
  /** The store, opened; one that is not there is created if asked. */
  context(options?: { readonly create?: boolean }): Promise<Context>;
  close(): Promise<void>;
}

export interface WorkPlaceOptions {
  readonly store: Located;
  readonly folder: string;
  readonly env: Environment;
}

/** The store of a folder on this machine. One that was taken away or replaced since is opened anew, or missed. */
export function workPlaceAt({ store: located, folder, env }: WorkPlaceOptions): WorkPlace {
  const home = homeOf(located.store);
  let opened: { readonly file: string; readonly context: Promise<Context> } | undefined;
  const open = async (create: boolean): Promise<Context> => {
    refuseForeign(located);
    return contextOf(await openStore(located.store, { create }), {
      workspace: folder,
      env,
      answersFirst: true,
    });
  };
  const close = async (): Promise<void> => {
    const [before] = await Promise.allSettled([opened?.context]);
    opened = undefined;
    if (before.status === 'fulfilled' && before.value !== undefined) await closeContext(before.value);
  };
  return {
    store: located.store.shown,
    folder,
    exists: () => fileMark(home) !== '',
    async context({ create = false } = {}) {
      if (opened !== undefined && opened.file !== fileMark(home)) await close();
      if (opened !== undefined) return await opened.context;
      const context = open(create);
      try {
        await context;
      } catch (error) {
        if (opened === undefined) throw error;
      }
      // Two calls may open it at once; the first to be done is kept.
      if (opened === undefined) opened = { file: fileMark(home), context };
      else await closeContext(await context);
      return await opened.context;
    },
    close,
  };
}

/** A store that somebody else opened, and closes. */
export function workPlaceOf(context: Context, folder: string | null): WorkPlace {
  return {
    store: context.store.address.shown,
    folder,
    exists: () => true,
    context: async () => context,
    close: async () => {},
  };
}
