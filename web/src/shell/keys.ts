/**
 * Keys, as a table of what each does. A page lays its own table over the shell's while it is open. A binding is one key, or two with
 * a space between them: `g r` is g and then r, within a second and a half.
 */
import { useLayoutEffect } from 'preact/hooks';

export interface Binding {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

const secondKeyMs = 1500;

/** What a key press leads to: a binding, a wait for the second key, or nothing. */
export function pressed(
  tables: readonly (readonly Binding[])[],
  before: string | undefined,
  key: string,
): { readonly binding?: Binding; readonly waiting?: string } {
  const all = tables.toReversed().flat();
  if (before !== undefined) {
    const binding = all.find(({ keys }) => keys === `${before} ${key}`);
    return binding === undefined ? {} : { binding };
  }
  const binding = all.find(({ keys }) => keys === key);
  if (binding !== undefined) return { binding };
  return all.some(({ keys }) => keys.startsWith(`${key} `)) ? { waiting: key } : {};
}

const tables: (readonly Binding[])[] = [];

/** Everything that can be pressed now, the page's own first. */
export function boundKeys(): readonly Binding[] {
  const seen = new Set<string>();
  return tables
    .toReversed()
    .flat()
    .filter(({ keys }) => !seen.has(keys) && seen.add(keys) !== undefined);
}

/** At once, and not after the next paint: a quick hand presses keys of the page that it sees. */
export function useKeys(bindings: readonly Binding[]): void {
  useLayoutEffect(() => {
    tables.push(bindings);
    return () => {
      tables.splice(tables.indexOf(bindings), 1);
    };
  }, [bindings]);
}

/** Text is typed into these, and they keep their keys to themselves. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input,textarea,select') !== null)
  );
}

export function listenForKeys(): void {
  let before: { readonly key: string; readonly at: number } | undefined;
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    const dialog = document.querySelector('dialog[open]');
    if (dialog !== null || isTyping(event.target)) return;
    const fresh = before !== undefined && event.timeStamp - before.at < secondKeyMs ? before.key : undefined;
    const { binding, waiting } = pressed(tables, fresh, event.key);
    before = waiting === undefined ? undefined : { key: waiting, at: event.timeStamp };
    if (binding === undefined) return;
    event.preventDefault();
    binding.run();
  });
}
