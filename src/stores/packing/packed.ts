/**
 * Canonical JSON in fewer bytes. Most of what a hop writes is the same words around digests, and compressing each small
 * text on its own costs more time than the disk (20 µs to deflate 300 bytes, 55 µs for zstd; this takes 5, and 2 to undo).
 *
 *   packed = count of digests (1 byte) + 32 bytes each, in order + UTF-8 of the text with
 *            every "sha256:…" in its quotes replaced by U+0000 and every word of the table by U+0001 … U+001F
 *
 * JSON escapes control characters, so those code points are free. A text that has one is not packed.
 * The table is part of the format: another table is another codec.
 */
const words = [
  '{"at":',
  ',"by":{"kind":"agent","name":"',
  ',"by":{"kind":"agent","lane":"',
  '"},"events":[{',
  '],"generation":',
  '],"prev":',
  ',"prev":',
  ',"seq":',
  ',"task":"',
  '","v":1}',
  '"},"generation":',
  '"certification":"valid","packet":',
  ',"parent":',
  ',"type":"checkpoint-sealed","v":1},{"generation":',
  ',"outcome":"handed-off","type":"leg-ended","v":1},{"attempt":1,"cause":"handoff","lane":"',
  ',"offer":',
  ',"packet":',
  ',"to":"agent:',
  '","trigger":"',
  '","type":"offer-made',
  '"generation":',
  ',"lane":"execute',
  '","leaseMs":60000,"leaseUntil":',
  ',"type":"leg-started',
  '","type":"leg-acknowledged',
  ',"type":"',
  '{"artefacts":[],"at":',
  ',"claims":{',
  '},"contract":',
  ',"from":{"kind":"agent","name":"',
  ',"head":{"digest":',
] as const;

const digestsMax = 255;
const digestBytes = 32;
const marks = /[\u0000-\u001f]/;
const everyMark = /[\u0000-\u001f]/g;
const markOf: ReadonlyMap<string, string> = new Map(
  words.map((word, index) => [word, String.fromCharCode(index + 1)]),
);
/** The longest first: an alternation takes the first that fits. */
const packable = new RegExp(
  `"sha256:[0-9a-f]{64}"|${words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[[\]{}]/g, '\\$&'))
    .join('|')}`,
  'g',
);

/** Undefined where the text cannot be packed. */
export function packText(text: string): Buffer | undefined {
  if (marks.test(text)) return undefined;
  let hex = '';
  const short = text.replace(packable, (found) => {
    const mark = markOf.get(found);
    if (mark !== undefined) return mark;
    hex += found.slice(8, -1);
    return '\u0000';
  });
  const count = hex.length / (2 * digestBytes);
  if (count > digestsMax) return undefined;
  const start = 1 + count * digestBytes;
  const packed = Buffer.allocUnsafe(start + Buffer.byteLength(short));
  packed[0] = count;
  packed.write(hex, 1, 'hex');
  packed.write(short, start);
  return packed;
}

export function unpackText(packed: Uint8Array): string {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const start = 1 + (bytes[0] ?? 0) * digestBytes;
  const hex = bytes.toString('hex', 1, start);
  let next = 0;
  return bytes.toString('utf8', start).replace(everyMark, (mark) => {
    const code = mark.charCodeAt(0);
    if (code > 0) return words[code - 1] ?? '';
    next += 2 * digestBytes;
    return `"sha256:${hex.slice(next - 2 * digestBytes, next)}"`;
  });
}
