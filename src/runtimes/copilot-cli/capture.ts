/** What a capture of Copilot CLI keeps: all but its system prompt and its log of requests. */
import type { Captured, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { captureLines, type LeavingOut } from '../capture-lines.ts';
import { eventIn, leftOut } from './read/record.ts';

const leavingOut: LeavingOut = {
  reasons: {
    'request-log': 'the log of requests repeats what the conversation holds, with all tools',
    'system-prompt': 'the system prompt belongs to the program',
  },
  mayBe: (bytes) => bytes.includes('"system.message"') || bytes.includes('"model.'),
  kindOf: (line) => {
    const event = eventIn(line);
    return event === null ? null : (leftOut[event.type] ?? null);
  },
};

export async function capture(place: SessionPlace, from?: Cursor): Promise<Captured> {
  return await captureLines(place, from, leavingOut);
}
