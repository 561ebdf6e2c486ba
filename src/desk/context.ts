/** What verbs work with on this machine: a store that is open, its keys and redactor, and the folder in which the work is done. */
import { defined } from '../core/base/defined.ts';
import { openStore } from '../compose/open-store.ts';
import { placeOfWork } from '../compose/workspace.ts';
import { storeRedactor } from '../compose/redactor.ts';
import { openTelemetry } from '../compose/tracing.ts';
import { Afterwards } from '../handoff/record/afterwards.ts';
import type { Context, Gate } from '../handoff/record/context.ts';
import { keysOf } from '../home/keys.ts';
import { worktreeRoot } from '../home/locate.ts';
import { systemClock, systemEntropy } from '../home/system.ts';
import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import { unobserved, type Reached } from '../ports/step.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import type { Store } from '../ports/store.ts';
import type { Workspace } from '../ports/workspace.ts';

export interface ContextOptions {
  /** A folder, or a workspace that is open already. */
  readonly workspace?: string | Workspace | undefined;
  /** Its values are secrets where their names say so. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly gate?: Gate | undefined;
  readonly clock?: Clock | undefined;
  readonly entropy?: Entropy | undefined;
  readonly reached?: Reached | undefined;
  /** Calls answer before they free what waited for them; `closeContext` waits for that. */
  readonly answersFirst?: boolean;
}

export function contextOf(store: Store, around: ContextOptions): Context {
  const signer = keysOf(store);
  return {
    store,
    clock: around.clock ?? systemClock,
    entropy: around.entropy ?? systemEntropy,
    reached: around.reached ?? unobserved,
    redactor: storeRedactor(store, around.env),
    ...placeOfWork(around.workspace, store),
    gate: around.gate ?? 'refuse',
    tracing: openTelemetry,
    ...defined({ signer }),
    ...(around.answersFirst === true ? { afterwards: new Afterwards() } : {}),
  };
}

/** Closes the store when what calls have left to be done is done. */
export async function closeContext({ afterwards, store }: Context): Promise<void> {
  await afterwards?.settled();
  await store.close();
}

/** Closes its store when it is disposed of. */
export interface OpenedContext extends AsyncDisposable {
  readonly context: Context;
}

/** The store, for work that is done in `folder` or further up in its tree. */
export async function openContext(
  address: StoreAddress,
  { folder, env, busyMs }: Pick<ContextOptions, 'env'> & { readonly folder: string; readonly busyMs: number },
): Promise<OpenedContext> {
  const store = await openStore(address, { busyMs });
  const context = contextOf(store, { workspace: worktreeRoot(folder), env });
  return { context, [Symbol.asyncDispose]: async () => await store.close() };
}
