/** Standard input to its end, of which no more is kept than an event can sensibly have. */
import type { Readable } from 'node:stream';

const inputBytesMax = 16 * 1024 * 1024;

export async function readInput(
  stream: Readable,
  max = inputBytesMax,
): Promise<string | { readonly why: string }> {
  let kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const chunk = piece as Buffer;
    bytes += chunk.length;
    if (bytes <= max) kept.push(chunk);
    else kept = [];
  }
  return bytes > max
    ? { why: `standard input is longer than ${max} bytes; nothing was done` }
    : Buffer.concat(kept).toString('utf8');
}
