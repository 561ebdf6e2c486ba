/** Long texts in pages. A cursor is the place where the next page begins, bound to the length of the text it is a place in. */
import { StaffettaError } from '../../core/base/error.ts';

export interface Page {
  readonly text: string;
  /** Absent at the end. */
  readonly cursor?: string;
  readonly from: number;
  readonly total: number;
}

/** Characters, and hosts cut what is longer than some 25,000 tokens. */
export const pageCharsMax = 60_000;
export const pageCharsDefault = 16_000;

/** Pages end with a line where there is one, and never in the middle of a character. */
export function pageOf(
  whole: string,
  {
    cursor,
    chars = pageCharsDefault,
  }: { readonly cursor?: string | undefined; readonly chars?: number | undefined },
): Page {
  const from = placeOf(whole, cursor);
  const total = whole.length;
  const limit = from + Math.min(Math.max(1, chars), pageCharsMax);
  if (limit >= total) return { text: whole.slice(from), from, total };
  const line = whole.lastIndexOf('\n', limit - 1) + 1;
  const fitting = whole.slice(from, limit).isWellFormed() ? limit : limit - 1;
  const end = line > from + chars / 2 ? line : fitting;
  // A page of half a character is one of a whole character.
  const to = end > from ? end : limit + 1;
  if (to >= total) return { text: whole.slice(from), from, total };
  return { text: whole.slice(from, to), cursor: `${to}/${total}`, from, total };
}

function placeOf(whole: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, at = '', of = ''] = /^(\d{1,12})\/(\d{1,12})$/.exec(cursor) ?? [];
  if (at !== '' && Number(of) === whole.length && Number(at) < whole.length) return Number(at);
  throw new StaffettaError(
    'invalid-input',
    at === ''
      ? `cursor: ${JSON.stringify(cursor)} is no cursor.`
      : 'cursor: what is read has changed since that page was given.',
    { hint: 'Give the cursor of the page before, or none to begin at the start.' },
  );
}
