/** Our MCP server in a JSON file of settings: an entry `staffetta` among others. One that somebody made by hand is left as it is. */
import { nodeAt, placeIn, removeAt, setMember, type JsonPath } from './json-edit.ts';
import { parseTree, valueOf } from './json-tree.ts';

/** Fields that say what is started are set anew; the others only come with a new entry, and are the user's from then on. */
export function withServer(
  text: string,
  path: JsonPath,
  server: {
    readonly starts: Readonly<Record<string, unknown>>;
    readonly more: Readonly<Record<string, unknown>>;
  },
): string {
  const found = valueAt(text, path);
  if (found === undefined) return setMember(text, path, { ...server.more, ...server.starts });
  if (!isOwnServer(found)) return text;
  return Object.entries(server.starts).reduce(
    (now, [key, value]) => setMember(now, [...path, key], value),
    text,
  );
}

/** `was` is the text before us, where it is known. */
export function withoutServer(text: string, path: JsonPath, was: string | null): string {
  return isOwnServer(valueAt(text, path)) ? removeAt(text, path, placeIn(was, path.slice(0, -1))) : text;
}

function valueAt(text: string, path: JsonPath): unknown {
  if (text.trim() === '') return undefined;
  const node = nodeAt(parseTree(text), path);
  return node === undefined ? undefined : valueOf(node);
}

/** Of this installation or another one of ours. */
export function isOwnServer(entry: unknown): boolean {
  const { command, args } = (entry ?? {}) as { readonly command?: unknown; readonly args?: unknown };
  const words: unknown[] = [command, args].flat(1);
  return words.some((word) => typeof word === 'string' && /(^|[\\/])staffetta\.cjs$/.test(word));
}
