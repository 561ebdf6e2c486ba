/** The edge of `write`: a new file, read back and compared, and taken away again where it says something else. */
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { newId } from '../new-id.ts';
import { captureGemini } from './capture.ts';
import { nativeSession, type NativeSession, type WrittenTurn } from './compose.ts';
import { read as readSession } from './read/read.ts';

/** The file is for `--session-file`: the program makes a session of its own from it, under an id that it chooses. */
export async function write(
  transcript: Transcript,
  { folder, into, random, rehearse = false }: WriteOptions,
): Promise<WrittenSession> {
  const session = newId(random(16));
  const native = nativeSession(transcript, { session, folder });
  if (native.turns.length === 0)
    throw new StaffettaError('invalid-input', 'The transcript holds nothing that could be written.', {
      hint: 'Start a new session with a briefing.',
    });
  const { omissions } = native;
  if (rehearse) return { place: placeIn(into, native, session), omissions };
  return { place: await writeSession(into, native, session), omissions };
}

function placeIn(into: string, { name }: NativeSession, id: string): SessionPlace {
  return { runtime: 'gemini-cli', id, path: join(into, name) };
}

/** Into a folder that exists; it need not be, and better is not, one of the program's. */
export async function writeSession(into: string, session: NativeSession, id: string): Promise<SessionPlace> {
  const place = placeIn(into, session, id);
  const fd = created(place.path);
  try {
    try {
      for (const line of session.lines) writeFileSync(fd, line);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const difference = differenceOf(session.turns, await readWritten(place));
    if (difference !== null)
      throw new StaffettaError(
        'unavailable',
        `The session for Gemini CLI reads back differently: ${difference}`,
        { hint: 'Start a new session with a briefing instead.' },
      );
  } catch (error) {
    rmSync(place.path, { force: true });
    throw error;
  }
  return place;
}

function created(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StaffettaError('invalid-input', `The session for Gemini CLI cannot be written: ${reason}`, {
      hint: 'Give a folder that exists, and an id that is not used yet.',
      cause,
    });
  }
}

export async function readWritten(place: SessionPlace): Promise<Transcript> {
  const captured = captureGemini(place);
  const records: Uint8Array[] = [];
  for await (const record of captured.records) records.push(record);
  return readSession(records);
}

/** Null where it is the same, role by role and call by call. */
export function differenceOf(turns: readonly WrittenTurn[], { steps }: Transcript): string | null {
  if (steps.length !== turns.length) return `${turns.length} steps were written and ${steps.length} found`;
  for (const [i, turn] of turns.entries()) {
    const step = steps[i];
    if (step === undefined || !sameTurn(turn, step)) return `step ${i + 1} is not the one that was written`;
  }
  return null;
}

function sameTurn(turn: WrittenTurn, step: Step): boolean {
  const mark = turn.source === 'summary' ? 'compaction' : turn.source === 'thanks' ? 'context' : undefined;
  const calls = (step.calls ?? []).map(({ tool, args }) => ({ tool, args }));
  const results = (step.results ?? []).map(({ text, failed }) => ({ text, failed }));
  return (
    step.source === (mark === undefined ? turn.source : 'system') &&
    step.mark === mark &&
    step.text === turn.text &&
    JSON.stringify(calls) === JSON.stringify(turn.calls) &&
    JSON.stringify(results) === JSON.stringify(turn.results)
  );
}
