/** Which files of a packet's diff somebody has looked through, and how they like to see a diff. Kept by this browser. */
import { signal, type Signal } from '@preact/signals';
import { keep, kept } from '../parts/kept.ts';

const open = new Map<string, Signal<ReadonlySet<string>>>();

export function viewedOf(packet: string): Signal<ReadonlySet<string>> {
  const found = open.get(packet);
  if (found !== undefined) return found;
  const paths = kept('viewed', packet);
  const made = signal<ReadonlySet<string>>(
    new Set(Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []),
  );
  open.set(packet, made);
  return made;
}

export function markViewed(packet: string, path: string, on: boolean): void {
  const viewed = viewedOf(packet);
  const next = new Set(viewed.value);
  if (on) next.add(path);
  else next.delete(path);
  viewed.value = next;
  keep({ kind: 'viewed', name: packet, most: 200 }, [...next]);
}

interface Look {
  /** Side by side. */
  readonly split: boolean;
  readonly wrap: boolean;
}

export const look = signal<Look>(lookFrom(kept('choice', 'diff')));

export function changeLook(change: Partial<Look>): void {
  look.value = { ...look.value, ...change };
  keep({ kind: 'choice', name: 'diff', most: 20 }, look.value);
}

function lookFrom(value: unknown): Look {
  const { split, wrap } = (value ?? {}) as Partial<Record<keyof Look, unknown>>;
  return { split: split === true, wrap: wrap !== false };
}
