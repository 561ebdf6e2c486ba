/**
 * A new session of Codex from a transcript. It is written where no file is, read back as any other session, compared thing by
 * thing, and taken away again where it differs. No other session is touched, and the program's databases are not: they are indexes
 * that it fills from the files.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { capture } from './capture.ts';
import { compose, type Composed, type ComposedSession } from './compose.ts';
import { differenceOf, exchangesIn } from './exchange.ts';
import { read } from './read/read.ts';
import { isThreadId } from './read/schema.ts';

export interface Planned extends Composed {
  readonly place: SessionPlace;
}

export type ReadBack = (home: string, place: SessionPlace) => Promise<Transcript>;

/** The id is made here; who serves the model is in the program's settings. */
export async function write(
  transcript: Transcript,
  { folder, now, random, rehearse = false }: WriteOptions,
  { home, provider }: { readonly home: string; readonly provider: string },
): Promise<WrittenSession> {
  const planned = plan(home, transcript, { id: newThreadId(now, random(16)), folder, now, provider });
  if (planned.expected.length === 0) {
    throw new StaffettaError('invalid-input', 'The transcript holds nothing that could be written.', {
      hint: 'Start a new session with a briefing.',
    });
  }
  const { place, omissions } = planned;
  return rehearse ? { place, omissions } : await writePlanned(planned, home);
}

/** Pure: the bytes, where they belong, and what is not in them. */
export function plan(home: string, transcript: Transcript, session: ComposedSession): Planned {
  if (!isThreadId(session.id)) {
    throw new StaffettaError('invalid-input', 'The id of a session of Codex is a UUID.', {
      hint: 'Give one that no session has.',
    });
  }
  if (!isAbsolute(session.folder)) {
    throw new StaffettaError('invalid-input', `${JSON.stringify(session.folder)} is no absolute folder.`, {
      hint: 'Give the folder in which the work goes on.',
    });
  }
  const time = new Date(session.now).toISOString();
  const name = `rollout-${time.slice(0, 19).replaceAll(':', '-')}-${session.id}.jsonl`;
  const path = join(home, 'sessions', ...time.slice(0, 10).split('-'), name);
  return { ...compose(transcript, session), place: { runtime: 'codex', id: session.id, path } };
}

export async function writePlanned(
  planned: Planned,
  home: string,
  readBack: ReadBack = readAgain,
): Promise<WrittenSession> {
  const { place, text, expected, omissions } = planned;
  const made = put(place.path, text);
  let difference: string | null = 'it could not be read back';
  try {
    difference = differenceOf(expected, exchangesIn((await readBack(home, place)).steps));
  } finally {
    if (difference !== null) takeAway(place.path, made);
  }
  if (difference === null) return { place, omissions };
  throw new StaffettaError(
    'unavailable',
    `The new session did not read back as it was written: ${difference}.`,
    { hint: 'Nothing was left behind. Start a new session with a briefing instead.' },
  );
}

/** Only where no file is; the first folder that had to be made, if one had to. */
function put(path: string, text: string): string | undefined {
  const made = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    takeAway(path, made);
    throw error;
  }
  closeSync(descriptor);
  return made;
}

function takeAway(path: string, made: string | undefined): void {
  rmSync(path, { force: true });
  if (made === undefined) return;
  try {
    for (let folder = dirname(path); folder.startsWith(made); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Another session was written there meanwhile.
  }
}

async function readAgain(home: string, place: SessionPlace): Promise<Transcript> {
  const records: Uint8Array[] = [];
  for await (const record of (await capture(home, place)).records) records.push(record);
  return read(records);
}

/** A UUID of version 7, as the program gives its own sessions. */
export function newThreadId(now: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.set(random.subarray(0, 16));
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
