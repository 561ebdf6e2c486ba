/** A part of the page that is fetched when it is first shown. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { unreachable } from '../api/refusal.ts';
import { Loading, RefusalNote } from './words.tsx';

export function lazily<P extends object>(
  what: string,
  fetch: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let fetched: ComponentType<P> | undefined;
  return function Lazily(props: P) {
    const there = useSignal(fetched !== undefined);
    const failed = useSignal<string | undefined>(undefined);
    const load = async (): Promise<void> => {
      failed.value = undefined;
      try {
        fetched ??= await fetch();
        there.value = true;
      } catch (error) {
        failed.value = error instanceof Error ? error.message : String(error);
      }
    };
    useEffect(() => void load(), []);
    if (failed.value !== undefined)
      return <RefusalNote refusal={unreachable(failed.value)} retry={() => void load()} />;
    if (!there.value || fetched === undefined) return <Loading what={what} />;
    const Part = fetched;
    return <Part {...props} />;
  };
}
