/** Wishes on their way: sent once however often the button is pressed, and told what came of them. */
import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Outcome } from '../../../src/server/contract/contract.ts';
import { post } from '../api/client.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';

interface Asked {
  readonly path: string;
  readonly body: object;
}

interface Asking {
  readonly busy: Signal<boolean>;
  readonly refusal: Signal<Refusal | undefined>;
  /** One after the other, up to the first that is refused; undefined where one was. What was done is not sent again. */
  readonly sendAll: <T = Outcome>(wishes: readonly Asked[]) => Promise<readonly T[] | undefined>;
}

export function useAsking(): Asking {
  const busy = useSignal(false);
  const refusal = useSignal<Refusal | undefined>(undefined);
  // The same wish keeps its key after a failure, so that sending it again does it once; another wish has another.
  const keys = useRef(new Map<string, string>());
  return {
    busy,
    refusal,
    async sendAll<T>(wishes: readonly Asked[]) {
      if (busy.value) return undefined;
      busy.value = true;
      refusal.value = undefined;
      const outcomes: T[] = [];
      try {
        for (const { path, body } of wishes) {
          const text = `${path} ${JSON.stringify(body)}`;
          const key = keys.current.get(text) ?? crypto.randomUUID();
          keys.current.set(text, key);
          outcomes.push(await post<T>(path, body, key));
        }
        keys.current.clear();
        return outcomes;
      } catch (error) {
        refusal.value = refusalOf(error);
        return undefined;
      } finally {
        busy.value = false;
      }
    },
  };
}
