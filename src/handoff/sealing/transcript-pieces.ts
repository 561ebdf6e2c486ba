/** A transcript as it is given, checked and cut into the pieces that are stored. */
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { PacketInput } from './gather.ts';

/** Pieces have this size, so that reading them back needs no more memory than one. */
const chunkBytes = 1024 * 1024;

export async function* pieces(transcript: PacketInput['transcript']): AsyncGenerator<Uint8Array> {
  if (transcript === undefined) return;
  if (!isTranscript(transcript))
    throw new StaffettaError('invalid-input', 'transcript: expected a text, bytes, or pieces of bytes.');
  let total = 0;
  const given =
    typeof transcript === 'string'
      ? [Buffer.from(transcript)]
      : transcript instanceof Uint8Array
        ? [transcript]
        : transcript;
  for await (const bytes of given) {
    if (!(bytes instanceof Uint8Array))
      throw new StaffettaError('invalid-input', 'transcript: expected pieces of bytes.', {
        hint: 'Encode texts first: Buffer.from(text).',
      });
    total += bytes.length;
    if (total > limits.transcriptBytesMax) {
      throw new StaffettaError(
        'too-large',
        `The transcript is longer than the ${limits.transcriptBytesMax} bytes that one packet may add.`,
        { hint: 'Send only what is new since the last packet, or seal several checkpoints.' },
      );
    }
    yield bytes;
  }
}

function isTranscript(given: unknown): given is NonNullable<PacketInput['transcript']> {
  if (typeof given === 'string' || given instanceof Uint8Array) return true;
  return (
    typeof given === 'object' && given !== null && (Symbol.asyncIterator in given || Symbol.iterator in given)
  );
}

export async function* cutPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + chunkBytes - size);
      waiting.push(piece);
      size += piece.length;
      at += piece.length;
      if (size < chunkBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}
