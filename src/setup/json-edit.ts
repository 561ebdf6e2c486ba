/** Changes to a JSON file that leave everything else in it as it is, byte for byte. */
import { NotJson, parseTree, valueOf, type JsonNode, type Member } from './json-tree.ts';

/** A text with a member set at a path of keys. Objects on the way are made. A value that is the same already is not touched. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const [key = '', ...rest] = path;
  const root = parseTree(source);
  return setIn(source, objectOf(root), { key, rest, value });
}

interface Wanted {
  readonly key: string;
  readonly rest: readonly string[];
  readonly value: unknown;
}

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

function objectOf(node: JsonNode): ObjectNode {
  if (node.kind !== 'object') throw new NotJson('it has something else where an object should be');
  return node;
}

function setIn(text: string, object: ObjectNode, { key, rest, value }: Wanted): string {
  const found = object.members.findLast((member) => member.key === key);
  const [next, ...further] = rest;
  if (found !== undefined && next !== undefined)
    return setIn(text, objectOf(found.node), { key: next, rest: further, value });
  if (found !== undefined) return replaced(text, found.node, value);
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return inserted(text, object, {
    parts: object.members,
    written: (indent) => memberText(key, nested, indent),
  });
}

function replaced(text: string, node: JsonNode, value: unknown): string {
  if (JSON.stringify(valueOf(node)) === JSON.stringify(value)) return text;
  const written = valueText(value, indentsOf(text, node.start));
  return text.slice(0, node.start) + written + text.slice(node.end);
}

/** An element at the end of the array at a path; the one that `isOurs` finds there is changed instead. */
export function setElement(
  text: string,
  path: readonly string[],
  value: unknown,
  isOurs: (element: unknown) => boolean,
): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const array = nodeAt(parseTree(source), path);
  if (array === undefined) return setMember(source, path, [value]);
  if (array.kind !== 'array') throw new NotJson('it has something else where a list should be');
  const ours = array.items.find((item) => isOurs(valueOf(item)));
  if (ours !== undefined) return replaced(source, ours, value);
  return inserted(source, array, {
    parts: array.items.map((node) => ({ start: node.start, node })),
    written: (indents) => valueText(value, indents),
  });
}

/** Without the elements that `isOurs` finds, and without what is empty then. */
export function removeElements(
  text: string,
  path: readonly string[],
  isOurs: (element: unknown) => boolean,
): string {
  for (let now = text; ;) {
    const array = nodeAt(parseTree(now), path);
    if (array === undefined || array.kind !== 'array') return now;
    const index = array.items.findIndex((item) => isOurs(valueOf(item)));
    if (index === -1) return now;
    if (array.items.length === 1) return removeMember(now, path);
    now = without(now, array, { parts: array.items.map((node) => ({ start: node.start, node })), index });
  }
}

/** Without a member, and without the objects around it that are empty then. */
export function removeMember(text: string, path: readonly string[]): string {
  const key = path.at(-1);
  const parent = path.slice(0, -1);
  const object = nodeAt(parseTree(text), parent);
  if (key === undefined || object === undefined || object.kind !== 'object') return text;
  const index = object.members.findIndex((member) => member.key === key);
  if (index === -1) return text;
  if (object.members.length === 1 && parent.length > 0) return removeMember(text, parent);
  return without(text, object, { parts: object.members, index });
}

export function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path)
    node =
      node?.kind === 'object'
        ? node.members.findLast((member: Member) => member.key === key)?.node
        : undefined;
  return node;
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
  const found = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(at))?.[0];
  return found === undefined ? undefined : at + found.length - 1;
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
    const after = text
      .slice(part.node.end, around.end - 1)
      .replace(/^\s*,/, '')
      .trim();
    return `${text.slice(0, around.start + 1)}${inside}${after}${text.slice(around.end - 1)}`;
  }
  const comma = commaAfter(text, previous.node.end) ?? previous.node.end;
  const blank = text.slice(0, part.start).trimEnd().length;
  const own = commaAfter(text, part.node.end);
  // A comma behind the last one is the file's own way; it stays with the one before.
  if (own !== undefined) return text.slice(0, blank) + text.slice(own + 1);
  const between = text.slice(comma + 1, Math.max(comma + 1, blank));
  return text.slice(0, comma) + between + text.slice(part.node.end);
}
