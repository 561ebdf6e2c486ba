/** What a capture of Claude Code keeps: all but its log of requests and its system prompt. */
import type { Captured, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { captureLines, type LeavingOut } from '../capture-lines.ts';
import { leftOut, recordOf, type LeftOut } from './read/schema.ts';

const reasons: Readonly<Record<LeftOut, string>> = {
  'request-log': 'the log of requests repeats what the conversation holds, with all tools',
  'system-prompt': 'the system prompt belongs to the program',
};

/** What a person wrote about these words is kept, because the fields decide. */
const leavingOut: LeavingOut = {
  reasons,
  mayBe: (bytes) => bytes.includes('api-request') || bytes.includes('prompt_snapshot'),
  kindOf: (line) => {
    const record = recordOf(line);
    return record === null ? null : leftOut(record);
  },
};

export async function capture(place: SessionPlace, from?: Cursor): Promise<Captured> {
  return await captureLines(place, from, leavingOut);
}
