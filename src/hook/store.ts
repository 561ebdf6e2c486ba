import type { Home } from '../home/home.ts';
import { worktreeRoot } from '../home/locate.ts';
import { contextOf } from '../desk/context.ts';
import { openStore } from '../compose/open-store.ts';
import type { Context } from '../handoff/record/context.ts';

/** A hook that must wait for a writer longer than this does without. */
const busyMsMax = 400;

export interface Opened extends AsyncDisposable {
  readonly context: Context;
}

export async function open(
  place: { readonly home: Home; readonly env: NodeJS.ProcessEnv },
  folder: string,
  busyMs = busyMsMax,
): Promise<Opened> {
  const store = await openStore(place.home.store, { busyMs });
  const context = contextOf(store, { workspace: worktreeRoot(folder), env: place.env });
  return { context, [Symbol.asyncDispose]: async () => await store.close() };
}
