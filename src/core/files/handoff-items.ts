/**
 * Lists of HANDOFF.md as people write them: any mark, numbers, boxes to tick, items within items, paragraphs, headings between.
 * An item at the list's own margin is one claim; what is indented below it belongs to it. A paragraph of its own is a claim too.
 */
import type { PlacedLine } from './handoff-headings.ts';
import { evidenceTail, fieldLine, type MarkdownItem } from './handoff-markdown.ts';
import { withoutEnd } from '../base/without-end.ts';

export interface ReadItem extends MarkdownItem {
  /** Of the file, from 1. */
  readonly line: number;
  /** Undefined where it has no box to tick. */
  readonly ticked?: boolean;
  readonly isParagraph: boolean;
}

interface Open {
  readonly line: number;
  readonly label: string | undefined;
  readonly isParagraph: boolean;
  /** Where its text begins; lines below it are moved there. */
  readonly margin: number;
  readonly lines: string[];
  readonly fields: { readonly name: string; readonly indent: number; readonly lines: string[] }[];
}

const mark = /^([ \t]*)((?:[-*+•–—]|\d{1,9}[.)])(?:[ \t]+|$))(.*)$/;
const named = /^([ \t]+)[-*+] (because|rejected|owner): (.*)$/i;
const rule = /^(?:-{3,}|\*{3,}|_{3,})[ \t]*$/;

export function readItems(body: readonly PlacedLine[]): ReadItem[] {
  const list = new List();
  for (const line of body) list.add(line);
  return list.ended();
}

class List {
  readonly #items: Open[] = [];
  #item: Open | undefined;
  #base: number | undefined;
  #label: { readonly text: string; readonly line: number; used: boolean } | undefined;

  add(line: PlacedLine): void {
    const { text, number, code, opens, divides } = line;
    if (opens || divides !== undefined) {
      this.#endPart();
      if (divides !== undefined) this.#label = { text: divides, line: number, used: false };
    } else if (text.trim() === '') this.#last()?.push('');
    else if (code) this.#continue(line);
    else if (rule.test(text)) this.#item = undefined;
    else this.#addWords(line);
  }

  #addWords(line: PlacedLine): void {
    const { text, number } = line;
    const [, before = '', sign = '', rest = ''] = mark.exec(text) ?? [];
    const indent = widthOf(before);
    const item = this.#item;
    if (sign !== '' && (item === undefined || this.#base === undefined || indent <= this.#base + 1)) {
      this.#base ??= indent;
      this.#open(number, rest, { isParagraph: false, margin: indent + (/^\d/.test(sign) ? sign.length : 2) });
      return;
    }
    const [, inset = '', name = '', said = ''] = named.exec(text) ?? [];
    const open = item?.fields.at(-1);
    const isField =
      name !== '' && (open === undefined || widthOf(inset) <= Math.max((this.#base ?? 0) + 3, open.indent));
    if (item !== undefined && isField)
      item.fields.push({ name: name.toLowerCase(), indent: widthOf(inset), lines: [said] });
    else if (/^\s/.test(text) || this.#last()?.at(-1) !== '') this.#continue(line);
    else this.#open(number, text, { isParagraph: true, margin: 0 });
  }

  #continue({ text, number }: PlacedLine): void {
    const item = this.#item;
    if (item === undefined) this.#open(number, text.trim(), { isParagraph: true, margin: 0 });
    else {
      const field = item.fields.at(-1);
      (field?.lines ?? item.lines).push(moved(text, field === undefined ? item.margin : field.indent + 2));
    }
  }

  #open(line: number, text: string, { isParagraph, margin }: Pick<Open, 'isParagraph' | 'margin'>): void {
    if (this.#label !== undefined) this.#label.used = true;
    this.#item = { line, label: this.#label?.text, isParagraph, margin, lines: [text], fields: [] };
    this.#items.push(this.#item);
  }

  #last(): string[] | undefined {
    return this.#item?.fields.at(-1)?.lines ?? this.#item?.lines;
  }

  /** A heading with nothing below it says something itself. */
  #endPart(): void {
    const label = this.#label;
    this.#label = undefined;
    if (label?.used === false) this.#open(label.line, label.text, { isParagraph: false, margin: 0 });
    this.#item = undefined;
    this.#base = undefined;
  }

  ended(): ReadItem[] {
    this.#endPart();
    const items = this.#items
      .map(readItem)
      .filter(({ text, because, rejected, owner }) =>
        [text, because, owner, ...(rejected ?? [])].some((said) => (said ?? '') !== ''),
      );
    return items.length === 1 && items.every(saysNone) ? [] : items;
  }
}

function readItem({ line, label, isParagraph, lines, fields }: Open): ReadItem {
  const all = (name: string): string[] =>
    fields.filter((one) => one.name === name).map((one) => joined(one.lines));
  const box = /^\[([ xX])\](?:\s+|$)/.exec(lines[0] ?? '');
  // A line of the text that looks like a field or a box was written with a backslash.
  const written = joined(lines)
    .slice(box?.[0].length ?? 0)
    .replace(/^\\(\\*\[[ xX]\] )/, '$1')
    .replaceAll(fieldLine, (found, indent: string, slashes: string) =>
      slashes === '' ? found : `${indent}${found.slice(indent.length + 1)}`,
    );
  const tail = evidenceTail.exec(written);
  const evidence = tail?.[1] === undefined || tail[1] === '' ? undefined : tail[1].split(/, ?/);
  const text = tail === null ? written : written.slice(0, tail.index);
  const [because, rejected, owners] = [all('because'), all('rejected'), all('owner')];
  return {
    line,
    isParagraph,
    text: label === undefined ? text : `${label}: ${text}`,
    evidence,
    because: because.length === 0 ? undefined : because.join('\n'),
    rejected: rejected.length === 0 ? undefined : rejected,
    owner: owners.length === 0 ? undefined : owners.join('\n'),
    ...(box === null ? {} : { ticked: box[1] !== ' ' }),
  };
}

/** "None." below "Blockers" is no blocker. */
function saysNone({ text, isParagraph }: ReadItem): boolean {
  return isParagraph && /^\W*(?:none|nothing|n\/a|no|nil)(?: yet| so far| left| known)?\W*$/i.test(text);
}

function widthOf(indent: string): number {
  return indent.replaceAll('\t', '    ').length;
}

function moved(line: string, margin: number): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  let at = 0;
  for (let width = 0; at < indent.length && width < margin; at += 1) width += indent[at] === '\t' ? 4 : 1;
  return line.slice(at);
}

function joined(lines: readonly string[]): string {
  return withoutEnd(lines.join('\n'), '\n');
}
