/** Something from the server that a page shows, kept up to date while it is shown. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { onChange, onOpening } from './live.ts';
import { refusalOf, type Refusal } from './refusal.ts';

interface Loaded<T> {
  readonly value: Signal<T | undefined>;
  readonly refusal: Signal<Refusal | undefined>;
  readonly reload: () => void;
}

interface LoadOptions {
  /** Load again when this task changes; `all` for any. Absent: only when asked. */
  readonly follows?: string;
  /** At most so often, however many changes there are. */
  readonly everyMs?: number;
}

/** `key` names what is loaded: another key loads anew, and the same key shows what is there until the new is. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { follows, everyMs = 300 }: LoadOptions = {},
): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const latest = useRef(load);
  latest.current = load;
  const again = useRef(() => {});

  useEffect(() => {
    const over = new AbortController();
    let running = false;
    let wanted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    value.value = undefined;
    refusal.value = undefined;

    const run = async (): Promise<void> => {
      running = true;
      wanted = false;
      try {
        const got = await latest.current(over.signal);
        if (over.signal.aborted) return;
        value.value = got;
        refusal.value = undefined;
      } catch (error) {
        if (!over.signal.aborted) refusal.value = refusalOf(error);
      } finally {
        running = false;
      }
      if (wanted && !over.signal.aborted) later();
    };
    const later = (): void => {
      wanted = true;
      if (running || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void run();
      }, everyMs);
    };
    again.current = () => void run();
    void run();
    const stops =
      follows === undefined
        ? []
        : [onChange(({ task }) => (follows === 'all' || task === follows) && later()), onOpening(later)];
    return () => {
      over.abort();
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [key, follows]);

  return { value, refusal, reload: () => again.current() };
}
