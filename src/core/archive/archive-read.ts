import { ArchiveBytes } from './archive-bytes.ts';
import { readSeal, type SealedBy } from './archive-seal.ts';
import {
  firstChain,
  nextChain,
  parseHeader,
  parseLine,
  unsound,
  type ArchiveHeader,
  type ArchiveLine,
} from './archive.ts';
import { digestOf, type Digest } from '../journal/digest.ts';
import { entryDigest } from '../journal/entry.ts';
import type { TaskId } from '../journal/id.ts';
import { limits } from '../base/limits.ts';
import { utf8 } from '../base/utf8.ts';

export type ArchiveItem =
  | { readonly kind: 'header'; readonly header: ArchiveHeader; readonly chain: Digest }
  | ArchiveRecord
  /** Null where nobody vouches for the whole. */
  | { readonly kind: 'end'; readonly sealed: SealedBy | null };

export type ArchiveRecord =
  | {
      readonly kind: 'entry';
      readonly task: TaskId;
      readonly seq: number;
      readonly digest: Digest;
      readonly body: string;
      readonly chain: Digest;
    }
  | { readonly kind: 'blob'; readonly digest: Digest; readonly bytes: Uint8Array; readonly chain: Digest };

/**
 * The records of an export, each with its digest compared. A caller that has read to the end without a refusal has read what was
 * written, all of it and nothing else. What the records say is for the caller to judge.
 */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveItem> {
  const bytes = new ArchiveBytes(source);
  try {
    const first = await bytes.line('the header');
    if (first === undefined) throw unsound('it is empty');
    const header = parseHeader(first);
    let chain = firstChain(first);
    yield { kind: 'header', header, chain };
    for (let number = 1; ; number += 1) {
      const text = await bytes.line(`record ${number}`);
      if (text === undefined) throw unsound(`it breaks off after record ${number - 1}, without an end`);
      const line = parseLine(text, number);
      if ('end' in line) {
        refuseEnd(line, { number, chain });
        yield { kind: 'end', sealed: await sealAfter(bytes, header, { records: line.end, chain }) };
        return;
      }
      chain = nextChain(chain, text);
      yield { ...(await payloadOf(bytes, line, number)), chain };
    }
  } finally {
    await bytes.close();
  }
}

function refuseEnd(
  line: Extract<ArchiveLine, { readonly end: number }>,
  read: { readonly number: number; readonly chain: Digest },
): void {
  if (line.end !== read.number - 1)
    throw unsound(`it ends after ${read.number - 1} records and should have ${line.end}`);
  if (line.chain !== read.chain)
    throw unsound('its records are not those that were written, or not in that order');
}

/** Of version 1 nothing follows the end. */
async function sealAfter(
  bytes: ArchiveBytes,
  header: ArchiveHeader,
  ended: { readonly records: number; readonly chain: Digest },
): Promise<SealedBy | null> {
  const line = header.v === 1 ? undefined : await bytes.line('its signature');
  const sealed = line === undefined ? null : readSeal(line, { header, ...ended });
  if (!(await bytes.ended())) throw unsound('something follows its end');
  return sealed;
}

type Payload =
  | Omit<Extract<ArchiveRecord, { kind: 'entry' }>, 'chain'>
  | Omit<Extract<ArchiveRecord, { kind: 'blob' }>, 'chain'>;

async function payloadOf(
  bytes: ArchiveBytes,
  line: Exclude<ArchiveLine, { readonly end: number }>,
  number: number,
): Promise<Payload> {
  const what = 'entry' in line ? `entry ${line.entry} of task ${line.task}` : `blob ${line.blob}`;
  const max = 'entry' in line ? limits.entryBytesMax : limits.blobBytesMax;
  if (line.bytes > max) throw unsound(`${what} has ${line.bytes} bytes, and ${max} is the limit`);
  const payload = await bytes.payload(line.bytes, `${what} (record ${number})`);
  const touched = unsound(`${what} does not match its digest`);
  if ('blob' in line) {
    if (digestOf(payload) !== line.blob) throw touched;
    return { kind: 'blob', digest: line.blob, bytes: payload };
  }
  let body: string;
  try {
    body = utf8(payload);
  } catch {
    throw touched;
  }
  if (entryDigest(body) !== line.digest) throw touched;
  return { kind: 'entry', task: line.task, seq: line.entry, digest: line.digest, body };
}
