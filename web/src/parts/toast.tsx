/** What was just done, wherever on the page it was asked for: what it was about may be gone from there. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, type Place } from '../shell/place.ts';

interface Told {
  readonly words: string;
  /** The task to go on with. */
  readonly link?: { readonly task: string; readonly title: string };
}

export const toast = signal<Told | undefined>(undefined);

/** Until it is closed, something else is begun, or another page is looked at. */
export function Toast({ place }: { readonly place: Place }) {
  const own = addressOf(place);
  useEffect(() => void (toast.value = undefined), [own]);
  const told = toast.value;
  return (
    <div role="status" class={told === undefined ? 'visually-hidden' : 'toast'}>
      {told === undefined ? null : (
        <>
          <span>
            {told.words}{' '}
            {told.link === undefined ? null : (
              <a href={addressOf({ page: 'task', task: told.link.task, view: 'packet' })}>
                {told.link.title}
              </a>
            )}
          </span>
          <button
            type="button"
            class="icon"
            aria-label="Close this message"
            onClick={() => (toast.value = undefined)}
          >
            ✕
          </button>
        </>
      )}
    </div>
  );
}
