/**
 * Writes a composed session as a new file, reads it back and compares (RT9). Of all that is the program's, only this file is ever
 * made, and only this file is ever taken away again.
 */
import { mkdir, open, unlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Transcript } from '../../core/transcript/step.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { SessionPlace, WrittenSession } from '../../ports/runtime.ts';
import { capture } from './capture.ts';
import { compose, type ComposeOptions, type Composed, type WrittenTurn } from './compose.ts';
import { nameLengthMax, projectName, projectsOf } from './locate.ts';
import { codeOf } from '../open-quietly.ts';
import { read } from './read/read.ts';
import { isUuid } from '../new-id.ts';

export interface WriteChoices extends ComposeOptions {
  readonly home: string;
  readonly rehearse?: boolean;
}

export function placeOf(options: Pick<WriteChoices, 'home' | 'folder' | 'session'>): SessionPlace {
  const name = projectName(options.folder);
  // The program's own hash is not known; it finds a session by its id in any project.
  const cut = `${name.slice(0, nameLengthMax)}-${sha256Hex(options.folder).slice(0, 6)}`;
  const project = name.length <= nameLengthMax ? name : cut;
  const path = join(projectsOf(options.home), project, `${options.session}.jsonl`);
  return { runtime: 'claude-code', id: options.session, path };
}

export async function write(transcript: Transcript, options: WriteChoices): Promise<WrittenSession> {
  if (!isUuid(options.session))
    throw refused(
      `The id ${options.session} is no UUID, as Claude Code wants.`,
      'Give a new UUID in lower case.',
    );
  if (!isAbsolute(options.folder))
    throw refused(`The folder ${options.folder} is no absolute path.`, 'Give the whole path of the folder.');
  const composed = compose(transcript, options);
  if (composed.turns.length === 0)
    throw refused(
      'The transcript holds nothing that could be written.',
      'Start a new session with a briefing.',
    );
  const place = placeOf(options);
  if (options.rehearse === true) return { place, omissions: composed.omissions };
  const bytes = Buffer.from(`${composed.lines.join('\n')}\n`);
  await create(place.path, bytes);
  await compareOrRemove(place, composed);
  return { place, omissions: composed.omissions };
}

async function create(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST')
      throw refused(`The session ${path} is there already.`, 'Give a new UUID.');
    throw failed(path, error);
  });
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw failed(path, error);
  } finally {
    await file.close();
  }
}

async function compareOrRemove(place: SessionPlace, composed: Composed): Promise<void> {
  let difference: string | null;
  try {
    difference = differenceOf(composed.turns, await readBack(place));
  } catch (error) {
    await unlink(place.path);
    throw failed(place.path, error);
  }
  if (difference === null) return;
  await unlink(place.path);
  throw new StaffettaError('unavailable', `The session was written and taken away again: ${difference}.`, {
    hint: 'Start a new session with a briefing.',
    details: { path: place.path },
  });
}

async function readBack(place: SessionPlace): Promise<Transcript> {
  const records: Uint8Array[] = [];
  const captured = await capture(place);
  for await (const record of captured.records) records.push(record);
  return read(records);
}

/** Null where the transcript holds these turns and no others; else the first difference in words. */
export function differenceOf(turns: readonly WrittenTurn[], { steps }: Transcript): string | null {
  if (steps.length !== turns.length) return `${turns.length} turns were written and ${steps.length} found`;
  for (const [index, turn] of turns.entries()) {
    const step = steps[index];
    const found: WrittenTurn = {
      role: step?.source === 'agent' ? 'assistant' : 'user',
      text: step?.text ?? '',
      calls: (step?.calls ?? []).map(({ id, tool, args }) => ({ id, tool, args: JSON.stringify(args) })),
      results: (step?.results ?? []).map(({ call, text, failed }) => ({ call, text, failed })),
    };
    const parts = ['role', 'text', 'calls', 'results'] as const;
    const other = parts.find((part) => JSON.stringify(found[part]) !== JSON.stringify(turn[part]));
    if (other !== undefined) return `the ${other} of turn ${index + 1} did not come back as written`;
  }
  return null;
}

function refused(message: string, hint: string): StaffettaError {
  return new StaffettaError('invalid-input', message, { hint });
}

function failed(path: string, cause: unknown): StaffettaError {
  return new StaffettaError('unavailable', `The session ${path} cannot be written.`, {
    hint: 'See that the folder can be written to and has room, then try again.',
    details: { path },
    cause,
  });
}
