/** How full the model's window is, by the end of a session's transcript. Reading all of it would take too long. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { loadReader } from '../compose/runtimes.ts';
import { conditionOf } from '../core/transcript/condition.ts';
import type { HookEvent } from './event.ts';

const tailBytes = 512 * 1024;
/** Requests that a program logs, and large results, say nothing of the window. */
const lineBytesMax = 64 * 1024;

export async function windowOf({
  runtime,
  transcript,
}: Pick<HookEvent, 'runtime' | 'transcript'>): Promise<HookEvent['window']> {
  if (transcript === null) return null;
  const lines = tailOf(transcript);
  const read = await loadReader(runtime);
  const { window } = conditionOf(read(lines));
  return window === null ? null : { used: window.used, max: window.max };
}

function tailOf(path: string): Buffer[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    return linesOf(bytes, from > 0);
  } finally {
    closeSync(file);
  }
}

function linesOf(bytes: Buffer, cut: boolean): Buffer[] {
  const lines: Buffer[] = [];
  let from = cut ? bytes.indexOf(10) + 1 : 0;
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, from)) {
    if (at - from <= lineBytesMax) lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return lines;
}
