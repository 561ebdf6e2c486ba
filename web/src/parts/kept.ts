/**
 * Small things that this browser keeps for its reader: drafts, marks, choices. Each kind keeps at most so many, and the one that was
 * written longest ago goes first. Where the browser keeps nothing, everything works until the page is closed.
 */
export interface Shelf {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Kept {
  readonly at: number;
  readonly value: unknown;
}

const prefix = 'staffetta';

function shelf(): Shelf | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

export function kept(kind: string, name: string, from: Shelf | undefined = shelf()): unknown {
  return read(from, keyOf(kind, name))?.value;
}

export function keep(
  { kind, name, most }: { readonly kind: string; readonly name: string; readonly most: number },
  value: unknown,
  on: Shelf | undefined = shelf(),
): void {
  if (on === undefined) return;
  try {
    on.setItem(keyOf(kind, name), JSON.stringify({ at: Date.now(), value }));
  } catch {
    // Full, or not allowed.
  }
  thin(on, kind, most);
}

export function forget(kind: string, name: string, on: Shelf | undefined = shelf()): void {
  on?.removeItem(keyOf(kind, name));
}

function keyOf(kind: string, name: string): string {
  return `${prefix}:${kind}:${name}`;
}

function read(from: Shelf | undefined, key: string): Kept | undefined {
  try {
    const value: unknown = JSON.parse(from?.getItem(key) ?? 'null');
    return typeof value === 'object' && value !== null && 'at' in value ? (value as Kept) : undefined;
  } catch {
    return undefined;
  }
}

function thin(on: Shelf, kind: string, most: number): void {
  const keys = Array.from({ length: on.length }, (_, n) => on.key(n) ?? '').filter((key) =>
    key.startsWith(`${prefix}:${kind}:`),
  );
  if (keys.length <= most) return;
  const oldest = keys.toSorted((a, b) => (read(on, a)?.at ?? 0) - (read(on, b)?.at ?? 0));
  for (const key of oldest.slice(0, keys.length - most)) on.removeItem(key);
}
