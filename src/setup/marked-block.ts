/** Lines of ours in a file of others, between two marks. */
export interface Marks {
  readonly open: string;
  readonly close: string;
}

export const tomlMarks: Marks = { open: '# >>> staffetta', close: '# <<< staffetta' };
export const markdownMarks: Marks = { open: '<!-- staffetta:begin -->', close: '<!-- staffetta:end -->' };

/** At the end of the text; one that is there already is changed where it stands. */
export function withBlock(text: string, lines: readonly string[], marks: Marks): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [marks.open, ...lines, marks.close].join(newline);
  const found = placeOf(text, marks);
  if (found !== undefined) return `${text.slice(0, found.start)}${block}${text.slice(found.end)}`;
  if (text.trim() === '') return `${block}${newline}`;
  const gap = text.endsWith('\n') ? newline : `${newline}${newline}`;
  return `${text}${gap}${block}${newline}`;
}

/**
 * Without our lines and the marks. A program that writes its own settings may have put lines of its own between the marks; those
 * stay where they are.
 */
export function withoutBlock(
  text: string,
  marks: Marks,
  kept: (lines: readonly string[]) => readonly string[],
): string {
  const found = placeOf(text, marks);
  if (found === undefined) return text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const inside = text.slice(found.start, found.end).split(/\r?\n/).slice(1, -1);
  const theirs = kept(inside).join(newline).trim();
  const before = text.slice(0, found.start).replace(/(\r?\n)\s*$/, '$1');
  const after = text.slice(found.end).replace(/^\r?\n/, '');
  return `${before}${theirs === '' ? '' : `${theirs}${newline}`}${after}`;
}

function placeOf(
  text: string,
  { open, close }: Marks,
): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start);
  return end === -1 ? undefined : { start, end: end + close.length };
}
