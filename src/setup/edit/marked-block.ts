/**
 * Lines of ours in a file of others, between two marks, at the end of the text. What is put before them tells how the text ended, so that
 * taking them out leaves it as it was: an empty line where it ended with a line end, none where it did not.
 */
export interface BlockMarks {
  readonly open: string;
  readonly close: string;
}

export const tomlMarks: BlockMarks = { open: '# >>> staffetta', close: '# <<< staffetta' };
export const markdownMarks: BlockMarks = {
  open: '<!-- staffetta:begin -->',
  close: '<!-- staffetta:end -->',
};

export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** At the end of the text; one that is there already is changed where it stands. */
export function withBlock(text: string, lines: readonly string[], marks: BlockMarks): string {
  const newline = newlineOf(text);
  const block = [marks.open, ...lines, marks.close].join(newline);
  const found = placeOf(text, marks);
  if (found !== undefined) return `${text.slice(0, found.start)}${block}${text.slice(found.end)}`;
  return appended(text, `${block}${newline}`);
}

export function appended(text: string, block: string): string {
  return `${text}${text === '' || text === '\uFEFF' ? '' : newlineOf(text)}${block}`;
}

export function withoutBlock(text: string, marks: BlockMarks): string {
  const found = placeOf(text, marks);
  if (found === undefined) return text;
  return joinAround(text.slice(0, found.start), text.slice(found.end).replace(/^\r?\n/, ''));
}

/** What stood before a block and behind it, without the line end that came with the block. */
export function joinAround(before: string, after: string): string {
  const isOwnLine = /(?:^|\n)\r?\n$/.test(before);
  const cut = isOwnLine || after === '' ? before.replace(/\r?\n$/, '') : before;
  return cut + after;
}

function placeOf(
  text: string,
  { open, close }: BlockMarks,
): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start);
  return end === -1 ? undefined : { start, end: end + close.length };
}
