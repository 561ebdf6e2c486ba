/** Changes to a JSON file that leave everything else in it as it is, byte for byte. */
import { NotJson, parseTree, pastBlanks, valueOf, type JsonNode } from './json-tree.ts';

/** Keys of objects, and places in lists. */
export type JsonPath = readonly (string | number)[];

/** A text with a value set at a path. Objects on the way are made; lists must be there. A value that is the same already is not touched. */
export function setMember(text: string, path: JsonPath, value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  let node = parseTree(source);
  for (const [index, key] of path.entries()) {
    const next = childOf(node, key);
    if (next !== undefined) {
      node = next;
      continue;
    }
    if (node.kind !== 'object' || typeof key === 'number')
      throw new NotJson('it has something else where an object should be');
    const nested = path
      .slice(index + 1)
      .reduceRight<unknown>((inner, name) => ({ [String(name)]: inner }), value);
    return inserted(source, node, {
      parts: node.members,
      written: (indents) => memberText(key, nested, indents),
    });
  }
  return replaced(source, node, value);
}

function replaced(text: string, node: JsonNode, value: unknown): string {
  if (JSON.stringify(valueOf(node)) === JSON.stringify(value)) return text;
  const written = valueText(value, indentsOf(text, node.start));
  return text.slice(0, node.start) + written + text.slice(node.end);
}

/** An element at the end of the list at a path, which is made where there is none. */
export function addElement(text: string, path: JsonPath, value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const array = nodeAt(parseTree(source), path);
  if (array === undefined) return setMember(source, path, [value]);
  if (array.kind !== 'array') throw new NotJson('it has something else where a list should be');
  return inserted(source, array, {
    parts: partsOf(array),
    written: (indents) => valueText(value, indents),
  });
}

/** Without what is at a path, and without the objects and lists around it that are empty then, up to the one at `keep`. */
export function removeAt(text: string, path: JsonPath, keep: JsonPath = []): string {
  const key = path.at(-1);
  const parent = path.slice(0, -1);
  const around = nodeAt(parseTree(text), parent);
  if (key === undefined || around === undefined) return text;
  const parts = partsOf(around);
  const index =
    around.kind === 'object' ? around.members.findLastIndex((member) => member.key === key) : Number(key);
  if (parts[index] === undefined) return text;
  if (parts.length === 1 && parent.length > keep.length) return removeAt(text, parent, keep);
  return without(text, around, { parts, index });
}

/** As much of a path as leads to something in an earlier text. */
export function placeIn(was: string | null, path: JsonPath): JsonPath {
  if (was === null || was.trim() === '') return [];
  const root = parseTree(was);
  return path.slice(
    0,
    path.findLastIndex((_, index) => nodeAt(root, path.slice(0, index + 1)) !== undefined) + 1,
  );
}

function partsOf(node: JsonNode): readonly Part[] {
  if (node.kind === 'object') return node.members;
  return node.kind === 'array' ? node.items.map((item) => ({ start: item.start, node: item })) : [];
}

export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path) node = node === undefined ? undefined : childOf(node, key);
  return node;
}

/** Of two members of one name the last one counts, as programs read it. */
function childOf(node: JsonNode, key: string | number): JsonNode | undefined {
  if (node.kind === 'array') return typeof key === 'number' ? node.items[key] : undefined;
  if (node.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key)?.node;
}

interface Indents {
  /** Of the thing itself; null where the file stands on one line. */
  readonly own: string | null;
  readonly unit: string;
  readonly newline: string;
}

/** Of the line on which a place stands. */
function indentsOf(text: string, at: number): Indents {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  if (!text.trim().includes('\n') && text.trim() !== '{}') return { own: null, unit, newline };
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return { own: /^[ \t]*/.exec(line)?.[0] ?? '', unit, newline };
}

function valueText(value: unknown, { own, unit, newline }: Indents): string {
  if (own === null) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${own}`);
}

function memberText(key: string, value: unknown, indents: Indents): string {
  return `${JSON.stringify(key)}:${indents.own === null ? '' : ' '}${valueText(value, indents)}`;
}

interface Part {
  readonly start: number;
  readonly node: JsonNode;
}

function inserted(
  text: string,
  around: JsonNode,
  { parts, written }: { readonly parts: readonly Part[]; readonly written: (indents: Indents) => string },
): string {
  const outer = indentsOf(text, around.start);
  const inner: Indents = outer.own === null ? outer : { ...outer, own: outer.own + outer.unit };
  const last = parts.at(-1);
  if (last === undefined) {
    const close = around.end - 1;
    const kept = text.slice(around.start + 1, close).trimEnd();
    const body =
      inner.own === null
        ? written(inner)
        : `${inner.newline}${inner.own}${written(inner)}${inner.newline}${outer.own ?? ''}`;
    return `${text.slice(0, around.start + 1)}${kept}${body}${text.slice(close)}`;
  }
  const own = indentsOf(text, last.start);
  const place: Indents =
    inner.own === null || own.own === null ? { ...own, own: null } : isAlone(text, last) ? own : inner;
  const comma = commaAfter(text, last.node.end);
  const from = comma === undefined ? last.node.end : comma + 1;
  // What stands behind the last one on its line belongs to it.
  const rest = /^[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*?\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(from))?.[0] ?? '';
  const before = comma === undefined ? `${text.slice(0, last.node.end)},` : text.slice(0, from);
  const gap = place.own === null ? '' : `${place.newline}${place.own}`;
  return `${before}${rest}${gap}${written(place)}${comma === undefined ? '' : ','}${text.slice(from + rest.length)}`;
}

/** Whether only blanks stand before it on its line. */
function isAlone(text: string, { start }: Part): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

/** The place of a comma that follows, past blanks and comments. */
function commaAfter(text: string, at: number): number | undefined {
  const next = pastBlanks(text, at);
  return text[next] === ',' ? next : undefined;
}

function without(
  text: string,
  around: JsonNode,
  { parts, index }: { readonly parts: readonly Part[]; readonly index: number },
): string {
  const part = parts[index];
  if (part === undefined) return text;
  const next = parts[index + 1];
  const previous = parts[index - 1];
  if (next !== undefined)
    return (
      text.slice(0, part.start) +
      text.slice((commaAfter(text, part.node.end) ?? part.node.end) + 1).trimStart()
    );
  if (previous === undefined) {
    const inside = text.slice(around.start + 1, part.start).trimEnd();
    const after = text.slice(part.node.end, around.end - 1).replace(/^\s*,/, '');
    // A comment before or behind it stays, and the line end that ends it.
    const left = inside === '' && after.trim() === '' ? '' : `${inside}${after}`;
    return `${text.slice(0, around.start + 1)}${left}${text.slice(around.end - 1)}`;
  }
  const comma = commaAfter(text, previous.node.end) ?? previous.node.end;
  const blank = text.slice(0, part.start).trimEnd().length;
  const own = commaAfter(text, part.node.end);
  // A comma behind the last one is the file's own way; it stays with the one before.
  if (own !== undefined) return behind(text.slice(0, blank), text.slice(own + 1));
  const between = text.slice(comma + 1, Math.max(comma + 1, blank));
  return behind(text.slice(0, comma) + between, text.slice(part.node.end));
}

/** A comment to the end of its line must not swallow what follows. */
function behind(before: string, after: string): string {
  const isOpen = before.includes('//', before.lastIndexOf('\n') + 1) && !/^[ \t]*\r?\n/.test(after);
  return isOpen ? `${before}\n${after}` : before + after;
}
