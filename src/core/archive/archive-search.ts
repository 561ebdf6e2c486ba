/**
 * Looks for secrets in what an export would bring. Whatever Staffetta captures is searched before it is stored, but an export may have
 * been edited, or written by software that knows fewer secrets. What would be stored as it is must not hold any.
 *
 *   entries, packets, contracts, manifests   every string by itself, as when it was recorded: their fields are ours (`token` and
 *                                            `key` among them), and name no value in somebody's text
 *   transcripts                              the pieces that a packet names as one text: a cut may go through a secret
 *   everything else                          as the bytes that it is
 *
 * Nothing of a secret is kept or told: only the rule that found it, and where.
 */
import { defined } from '../base/defined.ts';
import type { CheckedRecord } from './archive-check.ts';
import type { ArchiveRecord } from './archive-read.ts';
import { parseContract } from '../contract/contract.ts';
import type { Digest } from '../journal/digest.ts';
import { isStaffettaError, StaffettaError } from '../base/error.ts';
import type { TaskId } from '../journal/id.ts';
import { Passage } from '../redact/scan/passage.ts';
import { anchored } from '../redact/rules.ts';
import { createScan } from '../redact/scan/scan.ts';
import { utf8 } from '../base/utf8.ts';

export interface SecretPlace {
  readonly rule: string;
  readonly task: TaskId;
  /** The entry that holds it, or after which the blob comes. */
  readonly seq: number;
  /** The blob; of a transcript, the packet that names its pieces. */
  readonly blob?: Digest;
  /** A field, a byte or a transcript, in words. */
  readonly place: string;
}

const placesMax = 100;
const placesTold = 5;
/** Of a piece that came before. No secret that is known by its form is longer than this on one side of a cut. */
const edgeBytes = 4096;
const noFingerprint = '0'.repeat(12);

type Blob = Extract<ArchiveRecord, { readonly kind: 'blob' }>;

export class ArchiveSearch {
  readonly #scan = createScan(anchored([]));
  readonly #places: SecretPlace[] = [];
  readonly #edges = new Map<Digest, Uint8Array>();
  #entry: { readonly task: TaskId; readonly seq: number; readonly isNew: boolean } | undefined;
  #transcript: Transcript | undefined;

  /** The next record and what it is. Only what comes with a new entry is searched. */
  take(item: ArchiveRecord, taken: CheckedRecord, isNew: (task: TaskId, seq: number) => boolean): void {
    if (item.kind === 'entry') {
      this.#endTranscript();
      const { task, seq } = item;
      this.#entry = { task, seq, isNew: isNew(task, seq) };
      if (this.#entry.isNew && taken.kind === 'entry') this.#strings(taken.entry);
      return;
    }
    if (this.#entry?.isNew === true) this.#blob(item, taken);
    if (taken.kind === 'transcript') this.#edges.set(item.digest, edgesOf(item.bytes));
  }

  /** Once there are no more. Refuses if anything was found. */
  end(): void {
    this.#endTranscript();
    if (this.#places.length > 0) throw refusal(this.#places);
  }

  #blob({ digest, bytes }: Blob, taken: CheckedRecord): void {
    switch (taken.kind) {
      case 'packet':
        this.#endTranscript();
        this.#strings(taken.packet, { kind: 'packet', digest });
        this.#transcript = new Transcript(
          this.#passage(),
          digest,
          taken.packet.transcript.map(({ blob }) => blob),
        );
        return;
      case 'transcript':
        searchable('The transcript', () => this.#transcript?.push(digest, bytes, this.#edges));
        return;
      case 'contract':
      case 'manifest': {
        const value = documentOf(taken.kind, bytes);
        if (value !== undefined) {
          this.#strings(value, { kind: taken.kind, digest });
          return;
        }
        break;
      }
      default:
    }
    searchable('A blob', () => {
      const passage = this.#passage();
      passage.push(bytes);
      passage.end();
      for (const { rule, at } of passage.redactions().findings)
        this.#note(rule, `byte ${at} of blob`, digest);
    });
  }

  #endTranscript(): void {
    const transcript = this.#transcript;
    this.#transcript = undefined;
    if (transcript === undefined) return;
    searchable('The transcript', () => transcript.end(this.#edges));
    for (const { rule } of transcript.passage.redactions().findings)
      this.#note(rule, 'the transcript of packet', transcript.packet);
  }

  #strings(value: unknown, blob?: { readonly kind: string; readonly digest: Digest }): void {
    const strings = stringsOf(value);
    const texts = strings.map(({ text }) => text);
    if (this.#rulesIn(JSON.stringify(texts)).length === 0) return;
    for (const { path, text } of strings)
      for (const rule of this.#rulesIn(JSON.stringify([text])))
        this.#note(rule, blob === undefined ? path : `${path} of ${blob.kind}`, blob?.digest);
  }

  #rulesIn(text: string): string[] {
    const passage = this.#passage(true);
    passage.push(Buffer.from(text));
    passage.end();
    return passage.redactions().findings.map(({ rule }) => rule);
  }

  #passage(isText = false): Passage {
    // What is replaced is thrown away, so the fingerprints may all be the same.
    return new Passage(this.#scan, () => noFingerprint, isText ? { isText } : {});
  }

  #note(rule: string, place: string, blob?: Digest): void {
    const { task, seq } = this.#entry ?? {};
    if (task === undefined || seq === undefined || this.#places.length >= placesMax) return;
    this.#places.push({ rule, task, seq, place, ...defined({ blob }) });
  }
}

/** The pieces of one packet, in the order in which it names them. Of one that came before in the file only its ends are at hand. */
class Transcript {
  readonly passage: Passage;
  readonly packet: Digest;
  readonly #pieces: Digest[];
  #at = 0;

  constructor(passage: Passage, packet: Digest, pieces: Digest[]) {
    this.passage = passage;
    this.packet = packet;
    this.#pieces = pieces;
  }

  push(digest: Digest, bytes: Uint8Array, edges: ReadonlyMap<Digest, Uint8Array>): void {
    this.#pushEdges(edges, digest);
    this.#at += 1;
    this.passage.push(bytes);
  }

  end(edges: ReadonlyMap<Digest, Uint8Array>): void {
    this.#pushEdges(edges, undefined);
    this.passage.end();
  }

  #pushEdges(edges: ReadonlyMap<Digest, Uint8Array>, until: Digest | undefined): void {
    for (; this.#at < this.#pieces.length && this.#pieces[this.#at] !== until; this.#at += 1) {
      const edge = edges.get(this.#pieces[this.#at] ?? 'sha256:');
      if (edge !== undefined) this.passage.push(edge);
    }
  }
}

function edgesOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 2 * edgeBytes) return Buffer.from(bytes);
  return Buffer.concat([bytes.subarray(0, edgeBytes), Buffer.from('\n'), bytes.subarray(-edgeBytes)]);
}

/** Undefined where it is not what it is named as: then it is searched as bytes. */
function documentOf(kind: 'contract' | 'manifest', bytes: Uint8Array): unknown {
  try {
    return kind === 'contract' ? parseContract(bytes) : (JSON.parse(utf8(bytes)) as unknown);
  } catch {
    return undefined;
  }
}

interface PlacedString {
  readonly path: string;
  readonly text: string;
}

/** Names too: some are free, such as those under which a packet counts what was taken out. */
function stringsOf(value: unknown, path = ''): PlacedString[] {
  if (typeof value === 'string') return [{ path: path === '' ? 'the text' : path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) return value.flatMap((item, i) => stringsOf(item, below(String(i))));
  return Object.entries(value).flatMap(([name, item]) => [
    { path: path === '' ? 'a name' : path, text: name },
    ...stringsOf(item, below(name)),
  ]);
}

function searchable(what: string, search: () => unknown): void {
  try {
    search();
  } catch (error) {
    if (!isStaffettaError(error, 'too-large')) throw error;
    throw new StaffettaError(
      'too-large',
      `${what} in the export cannot be searched for secrets: ${error.message}`,
      {
        cause: error,
        hint: 'Nothing was imported. Staffetta writes no such export: ask its author.',
      },
    );
  }
}

function refusal(places: readonly SecretPlace[]): StaffettaError {
  const told = places
    .slice(0, placesTold)
    .map(({ rule, task, seq, place, blob }) =>
      blob === undefined
        ? `${rule} in ${place} of entry ${seq} of task ${task}`
        : `${rule} in ${place} ${blob}, which comes with entry ${seq} of task ${task}`,
    );
  const more = places.length > placesTold ? `; and ${places.length - placesTold} more` : '';
  return new StaffettaError(
    'invalid-input',
    `The export holds what looks like ${places.length === 1 ? 'a secret' : 'secrets'} in the clear: ${told.join('; ')}${more}.`,
    {
      details: { secrets: places },
      hint: 'Nothing was imported. If they are real, change them: everybody who has the file has them. Where the task lives, fork it from a packet before the first of them, and export the fork.',
    },
  );
}
