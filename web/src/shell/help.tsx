import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import { boundKeys } from './keys.ts';

export const helpIsOpen = signal(false);

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (helpIsOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpIsOpen.value]);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => (helpIsOpen.value = false)}
      onKeyDown={(event) => {
        if (event.key === '?') dialog.current?.close();
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl>
        {helpIsOpen.value
          ? boundKeys().map(({ keys, does }) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))
          : null}
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}
