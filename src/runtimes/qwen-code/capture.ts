/** Every record of a session is kept: each has a place in the tree of its conversation. */
import type { Captured, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { captureLines } from '../capture-lines.ts';

export async function capture(place: SessionPlace, from?: Cursor): Promise<Captured> {
  return await captureLines(place, from);
}
