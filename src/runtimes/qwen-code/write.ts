/** The edge of `write`: a new file among the program's sessions, read back and compared, and taken away again where it says something else. */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Step, Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions, WrittenSession } from '../../ports/runtime.ts';
import { newId } from '../new-id.ts';
import { folderNames } from '../of-folder.ts';
import { refusal } from '../spoken.ts';
import { capture } from './capture.ts';
import { compose, type Composed, type Turn } from './compose.ts';
import { projectOf, projectsOf } from './locate.ts';
import { read } from './read/read.ts';

export function isSessionId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
}

export async function write(
  home: string,
  transcript: Transcript,
  { folder, now, random, rehearse = false }: WriteOptions,
): Promise<WrittenSession> {
  if (!isAbsolute(folder))
    throw refusal(`The folder ${folder} is no absolute path.`, 'Give the whole path of the folder.');
  const session = newId(random(16));
  const real = folderNames(folder).at(-1) ?? folder;
  const composed = compose(transcript, { session, folder: real, now, random });
  if (composed.turns.length === 0)
    throw refusal(
      'The transcript holds nothing that could be written.',
      'Start a new session with a briefing.',
    );
  const path = join(projectsOf(home), projectOf(folder), 'chats', `${session}.jsonl`);
  const place: SessionPlace = { runtime: 'qwen-code', id: session, path };
  if (!rehearse) await written(place, composed);
  return { place, omissions: composed.omissions };
}

async function written(place: SessionPlace, { lines, turns }: Composed): Promise<void> {
  const fd = created(place.path);
  try {
    try {
      writeFileSync(fd, `${lines.join('\n')}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const difference = differenceOf(turns, await readBack(place));
    if (difference !== null)
      throw new StaffettaError(
        'unavailable',
        `The session for Qwen Code reads back differently: ${difference}`,
        { hint: 'Start a new session with a briefing instead.' },
      );
  } catch (error) {
    rmSync(place.path, { force: true });
    throw error;
  }
}

function created(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw new StaffettaError('unavailable', `The session ${path} cannot be written.`, {
      hint: 'See that the folder can be written to and has room, then try again.',
      details: { path },
      cause,
    });
  }
}

async function readBack(place: SessionPlace): Promise<Transcript> {
  const records: Uint8Array[] = [];
  for await (const record of (await capture(place)).records) records.push(record);
  return read(records);
}

/** Null where it is the same, step by step and call by call. */
export function differenceOf(turns: readonly Turn[], { steps }: Transcript): string | null {
  if (steps.length !== turns.length) return `${turns.length} steps were written and ${steps.length} found`;
  const at = turns.findIndex((turn, place) => {
    const step = steps[place];
    return step === undefined || JSON.stringify(turnOf(step)) !== JSON.stringify(turn);
  });
  return at === -1 ? null : `step ${at + 1} is not the one that was written`;
}

function turnOf({ source, text, calls = [], results = [] }: Step): Turn {
  return {
    source,
    text,
    calls: calls.map(({ tool, args }) => ({ tool, args })),
    results: results.map(({ text: said, failed }) => ({ text: said, failed })),
  };
}
