/**
 * An export: a task with its whole history as one stream of bytes. See docs/export-format.md.
 *
 *   file   = header LF record* end LF [signature LF]
 *   record = line LF payload LF        the line says what the payload is, how long it is and what its digest is
 *   line   = canonical JSON
 *   chain  = SHA-256 over the header, then over the chain so far and the next line, and so on
 *
 * The journals come in the order of the history: what the task was forked from first, each up to the entry it was forked at. Every
 * entry is followed by the blobs that it names and that did not come before, a packet by those that the packet names. The end
 * says how many records there were and what the chain came to. So whatever is touched, cut off, moved or added is
 * noticed, and the same task gives the same bytes. From version 2 on the exporter's signature may follow; see `archive-seal.ts`.
 */
import { defined } from '../base/defined.ts';
import * as z from 'zod/mini';
import { canonical } from '../journal/canonical.ts';
import { Digest, digestOf } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';

/** The newest that is read. What is not signed is written as version 1, which older readers know. */
const archiveVersion = 2;
const format = 'staffetta-export';

const Count = z.int().check(z.minimum(0));

export const ArchiveHeader = z.strictObject({
  format: z.literal(format),
  v: z.union([z.literal(1), z.literal(2)]),
  task: TaskId,
  /** Where the task's own journal ends: the one digest that vouches for everything in the file. */
  head: z.strictObject({ seq: Count, digest: Digest }),
  /** The journals, in the order of the history; the last one is the task's own. */
  journals: z
    .array(z.strictObject({ task: TaskId, seq: Count, digest: Digest }))
    .check(z.minLength(1), z.maxLength(limits.lineageTasksMax)),
  entries: Count,
  blobs: Count,
});
export type ArchiveHeader = z.infer<typeof ArchiveHeader>;

const EntryLine = z.strictObject({ entry: Count, task: TaskId, digest: Digest, bytes: Count });
const BlobLine = z.strictObject({ blob: Digest, bytes: Count });
const EndLine = z.strictObject({ end: Count, chain: Digest });

export const ArchiveLine = z.union([EntryLine, BlobLine, EndLine]);
export type ArchiveLine = z.infer<typeof ArchiveLine>;

export function headerLine(header: Omit<ArchiveHeader, 'format' | 'v'>, v: ArchiveHeader['v']): string {
  return canonical({ format, v, ...header });
}

export function firstChain(line: string): Digest {
  return digestOf(`staffetta/export/v1\n${line}`);
}

export function nextChain(chain: Digest, line: string): Digest {
  return digestOf(`${chain}\n${line}`);
}

/** What was found, in words. A file is refused whole: nothing of it is trusted once something is wrong. */
export function unsound(
  found: string,
  more: { readonly hint?: string; readonly cause?: unknown } = {},
): StaffettaError {
  return new StaffettaError('corrupt', `The export is not sound: ${found}.`, {
    hint: more.hint ?? 'Nothing was imported. Export the task again where it lives, and compare the sizes.',
    ...defined({ cause: more.cause }),
  });
}

export function parseHeader(line: string): ArchiveHeader {
  const raw = json(line, 'the header');
  const parsed = ArchiveHeader.safeParse(raw);
  if (parsed.success) return checkedHeader(parsed.data);
  const { format: found, v } = (raw ?? {}) as { format?: unknown; v?: unknown };
  if (found !== format)
    throw unsound('it does not begin as an export does', {
      hint: 'Give a file that staffetta export wrote.',
    });
  if (typeof v === 'number' && v > archiveVersion) {
    throw unsound(`it has version ${v}, and this staffetta reads up to ${archiveVersion}`, {
      hint: 'Nothing was imported. Update staffetta to the version that wrote it.',
    });
  }
  throw unsound('its header does not have the shape of one');
}

function checkedHeader(header: ArchiveHeader): ArchiveHeader {
  const { task, head, journals, entries } = header;
  const last = journals.at(-1);
  if (last?.task !== task || last.seq !== head.seq || last.digest !== head.digest)
    throw unsound('its header names two heads');
  if (new Set(journals.map((journal) => journal.task)).size < journals.length)
    throw unsound('its header names a journal twice');
  if (journals.reduce((sum, { seq }) => sum + seq + 1, 0) !== entries)
    throw unsound('its header counts the entries wrong');
  return header;
}

export function parseLine(line: string, number: number): ArchiveLine {
  const parsed = ArchiveLine.safeParse(json(line, `record ${number}`));
  if (parsed.success) return parsed.data;
  throw unsound(`record ${number} does not have the shape of one`);
}

function json(line: string, what: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw unsound(`${what} is not JSON`, { cause });
  }
}
