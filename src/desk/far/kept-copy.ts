import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportSource } from '../../handoff/trust/import.ts';

/** An export is read twice, and what comes through a pipe only once: it is kept in a file meanwhile. */
export async function withKept<T>(
  pieces: AsyncIterable<Uint8Array>,
  work: (source: ImportSource) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-import-'));
  try {
    const kept = join(folder, 'export');
    const writer = await open(kept, 'wx', 0o600);
    try {
      for await (const part of pieces) await writer.writeFile(part);
    } finally {
      await writer.close();
    }
    return await work(() => createReadStream(kept));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
