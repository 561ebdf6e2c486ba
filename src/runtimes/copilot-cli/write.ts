/** The edge of `write`: a new folder among the program's sessions. */
import type { Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { refuseNothing, sessionToWrite, writeLines } from '../written-session.ts';
import { agent } from './agent.ts';
import { capture } from './capture.ts';
import { compose } from './compose.ts';
import { eventsOf } from './locate.ts';
import { read } from './read/read.ts';

export async function write(
  home: string,
  transcript: Transcript,
  options: WriteOptions,
): Promise<WrittenSession> {
  const wanted = sessionToWrite(options);
  const composed = compose(transcript, wanted);
  refuseNothing(composed);
  const path = eventsOf(home, wanted.session);
  const place: SessionPlace = { runtime: 'copilot-cli', id: wanted.session, path };
  if (options.rehearse !== true) await writeLines(place, composed, { capture, read, title: agent.title });
  return { place, omissions: composed.omissions };
}
