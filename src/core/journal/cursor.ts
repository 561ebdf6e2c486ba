import { StaffettaError } from '../base/error.ts';

/** Where a page of cards ended: when the last task was opened, and its place among those of the same moment. */
export function parseCursor(cursor: string): readonly [openedAt: number, order: number] {
  const [, openedAt, order] = /^(-?[0-9.]+):([0-9]+)$/.exec(cursor) ?? [];
  const place = [Number(openedAt), Number(order)] as const;
  if (place.every(Number.isFinite)) return place;
  throw new StaffettaError('invalid-input', `list: ${JSON.stringify(cursor)} is no cursor.`, {
    hint: 'Give what the page before returned as next.',
  });
}
