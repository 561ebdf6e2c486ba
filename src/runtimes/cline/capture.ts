/**
 * Native records of a session. The program keeps its conversation in one document, which it writes anew at each step; so the stored native
 * form is our own. Each record is one line of JSON:
 *
 *   {"session":{…}}      what the session is: of `<session>.json`, and of the head of the document; first, and again when it has changed
 *   {"id":"msg_…",…}     a message, as the program wrote it but for blanks between its tokens
 *
 * A cursor is `1:<messages>:<SHA-256 of them>:<SHA-256 of the session record>`. Where the messages that were captured stand at the beginning
 * as they were, the session has grown; else all of it is captured again, and `fromStart` says so. For that it is read twice.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { defined } from '../../core/base/defined.ts';
import { recordCut } from '../../core/transcript/not-told.ts';
import { fieldsOf, partIn, textIn, type Fields } from '../../core/transcript/loose-json.ts';
import type { Omission } from '../../core/transcript/step.ts';
import type { Captured, CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { capturedLineMax, captureOf } from '../capture-lines.ts';
import { settingsText } from '../settings-file.ts';
import { DocumentMembers } from './document.ts';
import { manifestOf } from './locate.ts';

const chunkBytes = 256 * 1024;

export async function capture(place: SessionPlace, from?: Cursor): Promise<Captured> {
  return await captureOf(place.path, (file) => recordsIn(file, place, from));
}

interface Known {
  readonly messages: number;
  readonly digest: string;
  readonly session: string;
}

async function* recordsIn(
  file: FileHandle,
  place: SessionPlace,
  from: Cursor | undefined,
): AsyncGenerator<Uint8Array, CapturedEnd> {
  const known = await knownIn(file, from);
  const hash = createHash('sha256');
  const members = new DocumentMembers();
  let count = 0;
  let session: string | null = null;
  let told: Uint8Array | null = null;
  for await (const record of membersOf(file, members)) {
    told ??= sessionRecord(place, members.head);
    if (session === null) {
      session = digestOf(told);
      if (known?.session !== session) yield told;
    }
    hash.update(record).update('\n');
    count += 1;
    if (count > (known?.messages ?? 0)) yield record;
  }
  if (session === null) {
    told = sessionRecord(place, members.head);
    session = digestOf(told);
    if (known?.session !== session) yield told;
  }
  return {
    cursor: `1:${count}:${hash.digest('hex')}:${session}`,
    fromStart: from !== undefined && known === null,
    omissions: omissionsOf(members),
  };
}

/** Null where what was captured is not what stands at the beginning. */
async function knownIn(file: FileHandle, from: Cursor | undefined): Promise<Known | null> {
  const [, count, digest = '', session = ''] =
    /^1:(\d{1,9}):([0-9a-f]{64}):([0-9a-f]{64})$/.exec(from ?? '') ?? [];
  if (count === undefined) return null;
  const messages = Number(count);
  const hash = createHash('sha256');
  let seen = 0;
  if (messages > 0)
    for await (const record of membersOf(file, new DocumentMembers())) {
      hash.update(record).update('\n');
      seen += 1;
      if (seen === messages) break;
    }
  return seen === messages && hash.digest('hex') === digest ? { messages, digest, session } : null;
}

async function* membersOf(file: FileHandle, members: DocumentMembers): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield* members.take(buffer.subarray(0, bytesRead));
    if (members.isWhole) return;
  }
}

function omissionsOf({ tooLarge, isWhole }: DocumentMembers): Omission[] {
  const why = `a record of more than ${capturedLineMax / 1024 / 1024} MiB is not kept`;
  return [
    ...(tooLarge === 0 ? [] : [{ kind: 'record-too-large', count: tooLarge, why }]),
    ...(isWhole ? [] : [recordCut]),
  ];
}

function digestOf(record: Uint8Array): string {
  return createHash('sha256').update(record).digest('hex');
}

/** What changes at every step is not in it. */
function sessionRecord({ path, id }: SessionPlace, head: string | null): Uint8Array {
  const manifest = jsonIn(settingsText(manifestOf(path)));
  const document = jsonIn(head === null ? null : `${head}[]}`);
  const origin = partIn(document, 'origin');
  const session = {
    id,
    ...defined({
      folder: textIn(manifest, 'cwd') ?? undefined,
      startedAt: textIn(manifest, 'started_at') ?? undefined,
      title: textIn(partIn(manifest, 'metadata'), 'title') ?? undefined,
      version: textIn(origin, 'version') ?? undefined,
      parent: textIn(origin, 'parentThreadId') ?? undefined,
    }),
  };
  return Buffer.from(JSON.stringify({ session }));
}

export function jsonIn(text: string | null | undefined): Fields | null {
  try {
    return text === null || text === undefined ? null : fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}
