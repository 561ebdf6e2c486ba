import type { Redactor } from '../core/redact/redactor.ts';
import { memoryAddress } from '../ports/store-address.ts';
import type { Store } from '../ports/store.ts';
import { openStore } from './open-store.ts';

/** A redactor with the store's key that knows the secrets of an environment. Loaded and made once, when first asked for. */
export function storeRedactor(
  store: Store,
  env: Readonly<Record<string, string | undefined>> = {},
): () => Promise<Redactor> {
  let made: Promise<Redactor> | undefined;
  const make = async (): Promise<Redactor> => {
    const [{ createRedactor }, { secretValuesOf }, key] = await Promise.all([
      import('../core/redact/redactor.ts'),
      import('../core/redact/known-values.ts'),
      store.upkeep.secret(),
    ]);
    return createRedactor({ key, values: secretValuesOf(env) });
  };
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

/** For what is only shown, and kept in no store. */
export async function passingRedactor(env: Readonly<Record<string, string | undefined>>): Promise<Redactor> {
  return await storeRedactor(await openStore(memoryAddress), env)();
}
