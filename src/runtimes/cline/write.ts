/** The edge of `write`: a new folder among the program's sessions. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { refuseNothing, sessionToWrite, writeLines } from '../written-session.ts';
import { agent } from './agent.ts';
import { capture } from './capture.ts';
import { compose, type ComposedSession } from './compose.ts';
import { manifestOf, messagesOf, sessionsIn, type Env } from './locate.ts';
import { read } from './read/read.ts';

export async function write(
  env: Env,
  transcript: Transcript,
  options: WriteOptions,
): Promise<WrittenSession> {
  const wanted = sessionToWrite(options);
  // As the program makes them: the time, and a few letters.
  const session = `${options.now}_${wanted.session.slice(0, 8)}`;
  const path = messagesOf(sessionsIn(env), session);
  const composed = compose(transcript, { ...wanted, session, path });
  refuseNothing(composed);
  const place: SessionPlace = { runtime: 'cline', id: session, path };
  if (options.rehearse !== true) await writeSession(place, composed);
  return { place, omissions: composed.omissions };
}

async function writeSession(place: SessionPlace, composed: ComposedSession): Promise<void> {
  const folder = dirname(place.path);
  const refuse = (cause: unknown): never => {
    throw new StaffettaError('unavailable', `The session ${place.path} cannot be written.`, {
      hint: 'See that the folder can be written to and has room, then try again.',
      details: { path: place.path },
      cause,
    });
  };
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    // One that is there is somebody else's.
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    refuse(cause);
  }
  try {
    await writeLines(place, composed, { capture, read, title: agent.title });
    try {
      writeFileSync(manifestOf(place.path), composed.manifest, { flag: 'wx', mode: 0o600 });
    } catch (cause) {
      refuse(cause);
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
