import { keysOf } from '../home/keys.ts';
import { worktreeRoot } from '../home/locate.ts';
import { openStore } from '../compose/open-store.ts';
import { storeRedactor } from '../compose/redactor.ts';
import { systemClock, systemEntropy } from '../home/system.ts';
import { openTelemetry } from '../compose/tracing.ts';
import { placeOfWork } from '../compose/workspace.ts';
import type { Context } from '../handoff/record/context.ts';
import { unobserved } from '../ports/step.ts';

/** A hook that must wait for a writer longer than this does without. */
const busyMsMax = 400;

export interface Opened extends AsyncDisposable {
  readonly context: Context;
}

export async function open(
  place: { readonly store: string; readonly env: NodeJS.ProcessEnv },
  folder: string,
  busyMs = busyMsMax,
): Promise<Opened> {
  const store = await openStore(place.store, { busyMs });
  const signer = keysOf(store);
  const context: Context = {
    store,
    clock: systemClock,
    entropy: systemEntropy,
    reached: unobserved,
    redactor: storeRedactor(store, place.env),
    ...placeOfWork(worktreeRoot(folder), store),
    gate: 'refuse',
    tracing: openTelemetry,
    ...(signer === undefined ? {} : { signer }),
  };
  return { context, [Symbol.asyncDispose]: async () => await store.close() };
}
