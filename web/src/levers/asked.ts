/** A wish on its way: sent once however often the button is pressed, and told what came of it. */
import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Outcome } from '../../../src/server/contract/contract.ts';
import { post } from '../api/client.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';

export interface Asking {
  readonly busy: Signal<boolean>;
  readonly refusal: Signal<Refusal | undefined>;
  readonly send: (path: string, body: object) => Promise<Outcome | undefined>;
}

export function useAsking(): Asking {
  const busy = useSignal(false);
  const refusal = useSignal<Refusal | undefined>(undefined);
  // The same wish keeps its key after a failure, so that sending it again does it once; another wish has another.
  const wish = useRef({ text: '', key: '' });
  return {
    busy,
    refusal,
    async send(path, body) {
      if (busy.value) return undefined;
      const text = `${path} ${JSON.stringify(body)}`;
      if (wish.current.text !== text) wish.current = { text, key: crypto.randomUUID() };
      busy.value = true;
      refusal.value = undefined;
      try {
        const outcome = await post<Outcome>(path, body, wish.current.key);
        wish.current = { text: '', key: '' };
        return outcome;
      } catch (error) {
        refusal.value = refusalOf(error);
        return undefined;
      } finally {
        busy.value = false;
      }
    },
  };
}
