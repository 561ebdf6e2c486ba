import type { Home } from '../home/home.ts';
import { openContext, type OpenedContext } from '../desk/context.ts';

/** A hook that must wait for a writer longer than this does without. */
const busyMsMax = 400;

export async function openForHook(
  place: { readonly home: Home; readonly env: NodeJS.ProcessEnv },
  folder: string,
): Promise<OpenedContext> {
  return await openContext(place.home.store, { folder, env: place.env, busyMs: busyMsMax });
}
