/** Ctrl+K: pages, acts and tasks by their names, from anywhere. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { plainStatusOf } from '../../../src/core/task/card.ts';
import type { Card, TaskList } from '../../../src/server/contract/contract.ts';
import { get } from '../api/client.ts';
import { Stands } from '../parts/words.tsx';
import { found } from './found.ts';
import { go } from './here.ts';
import { boundKeys } from './keys.ts';
import { needingTasks } from './waiting.ts';

const paletteIsOpen = signal(false);
export const paletteKeys = 'Ctrl+K';
export const openPalette = (): void => void (paletteIsOpen.value = true);

/** Also while somebody types: it is no letter. */
export function listenForPalette(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (document.querySelector('dialog[open]') === null) openPalette();
  });
}

interface Choice {
  readonly key: string;
  readonly title: string;
  readonly keys?: string;
  readonly card?: Card;
  readonly run: () => void;
}

export function Palette() {
  return paletteIsOpen.value ? <OpenPalette /> : null;
}

const close = (): void => void (paletteIsOpen.value = false);

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal('');
  const at = useSignal(0);
  const cards = useSignal<readonly Card[]>([]);
  const bound = useSignal(boundKeys());
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    void get<TaskList>('/api/tasks', { limit: 1000 }).then(
      ({ tasks }) => (cards.value = tasks),
      // The pages say what is wrong.
      () => {},
    );
  }, []);
  const choices: readonly Choice[] = [
    ...bound.value
      .filter(({ keys }) => keys !== paletteKeys)
      .map(({ keys, does, run }) => ({ key: keys, title: does, keys, run })),
    ...cards.value.map((card) => ({
      key: card.task,
      title: card.title,
      card,
      run: () => go({ page: 'task', task: card.task, view: 'packet' }),
    })),
  ];
  const shown = found(choices, typed.value).slice(0, 12);
  const here = Math.min(at.value, shown.length - 1);
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    // After the dialog is gone: what it opens may be one itself.
    queueMicrotask(choice.run);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to, or do" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={shown.length === 0 ? undefined : `palette-${here}`}
        aria-label="Go to, or do"
        placeholder="Go to a page or a task, or do something"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by !== undefined) at.value = Math.min(Math.max(here + by, 0), shown.length - 1);
          else if (event.key === 'Enter') choose(shown[here]);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="rows" role="listbox" id="palette-list" aria-label="What there is">
        {shown.map((choice, n) => (
          <li
            key={choice.key}
            id={`palette-${n}`}
            role="option"
            aria-selected={n === here}
            onClick={() => choose(choice)}
            onPointerMove={() => (at.value = n)}
          >
            <span class="cut-off">{choice.title}</span>
            {choice.card === undefined ? (
              <kbd>{choice.keys}</kbd>
            ) : (
              <Stands stands={plainStatusOf(choice.card, needingTasks.value)} />
            )}
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p class="quiet">Nothing is called so.</p> : null}
    </dialog>
  );
}
