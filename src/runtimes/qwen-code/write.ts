/** The edge of `write`: a new file among the program's sessions. */
import { join } from 'node:path';
import type { Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { refuseNothing, sessionToWrite, writeLines } from '../written-session.ts';
import { agent } from './agent.ts';
import { capture } from './capture.ts';
import { compose } from './compose.ts';
import { projectOf, projectsOf } from './locate.ts';
import { read } from './read/read.ts';

export async function write(
  home: string,
  transcript: Transcript,
  options: WriteOptions,
): Promise<WrittenSession> {
  const wanted = sessionToWrite(options);
  const composed = compose(transcript, wanted);
  refuseNothing(composed);
  const path = join(projectsOf(home), projectOf(options.folder), 'chats', `${wanted.session}.jsonl`);
  const place: SessionPlace = { runtime: 'qwen-code', id: wanted.session, path };
  if (options.rehearse !== true) await writeLines(place, composed, { capture, read, title: agent.title });
  return { place, omissions: composed.omissions };
}
