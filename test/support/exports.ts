/** Exports in memory: written, read, and put together wrongly. */
import { canonical } from '../../src/core/journal/canonical.ts';
import { firstChain, nextChain } from '../../src/core/archive/archive.ts';
import type { ImportSource } from '../../src/handoff/trust/import.ts';
import type { Stage } from './world.ts';

export async function exported({ staffetta }: Pick<Stage, 'staffetta'>, task: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of (await staffetta.export(task)).pieces) parts.push(piece);
  return Buffer.concat(parts);
}

/** As a file gives them: in parts that have nothing to do with records. */
export function from(bytes: Uint8Array, partBytes = 1000): ImportSource {
  return async function* () {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  };
}

/** A record, or the header or end, which have no payload. */
export interface Part {
  readonly line: Record<string, unknown>;
  readonly payload?: Buffer;
}

export function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const line = JSON.parse(bytes.subarray(at, end).toString()) as Record<string, unknown>;
    at = end + 1;
    const size = line['bytes'];
    if (typeof size !== 'number') parts.push({ line });
    else {
      parts.push({ line, payload: bytes.subarray(at, at + size) });
      at += size + 1;
    }
  }
  return parts;
}

export function joined(parts: readonly Part[]): Buffer {
  const newline = Buffer.from('\n');
  return Buffer.concat(
    parts.flatMap(({ line, payload }) => [
      Buffer.from(`${canonical(line)}\n`),
      ...(payload === undefined ? [] : [payload, newline]),
    ]),
  );
}

/** With counts and chain as the author of these records would have written them: a forger, not an accident. */
export function resealed(parts: readonly Part[]): Buffer {
  const records = parts.filter(({ payload }) => payload !== undefined);
  const blobs = records.filter(({ line }) => 'blob' in line).length;
  const header = { ...parts[0]?.line, blobs };
  let chain = firstChain(canonical(header));
  for (const { line } of records) chain = nextChain(chain, canonical(line));
  return joined([{ line: header }, ...records, { line: { end: records.length, chain } }]);
}
