/** Contents on their way into the tree, with the values that stand there already where placeholders would take their place. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../core/digest.ts';
import { StaffettaError } from '../../core/error.ts';
import { limits } from '../../core/limits.ts';
import { fillIn } from '../../core/redact/fill-in.ts';
import type { Content } from '../../core/workspace.ts';
import type { RestoreOptions } from '../../ports/workspace.ts';

export interface Filling {
  readonly root: string;
  /** Files that git has a copy of, and so holds the values of. */
  readonly tracked: ReadonlySet<string>;
  readonly read: RestoreOptions['read'];
}

export interface FilledContent {
  readonly bytes: Uint8Array;
  /** Values that stand here were kept. */
  readonly kept: boolean;
  /** It still has placeholders. */
  readonly redacted: boolean;
}

export async function filledContent(
  path: string,
  content: Content,
  { root, tracked, read }: Filling,
): Promise<FilledContent> {
  const bytes = await readContent(content, read);
  if (content.redacted !== true) return { bytes, kept: false, redacted: false };
  const here = tracked.has(path) ? fileAt(join(root, path)) : undefined;
  if (here === undefined) return { bytes, kept: false, redacted: true };
  const filled = fillIn(bytes, here);
  return { bytes: filled.bytes, kept: filled.kept > 0, redacted: filled.left > 0 };
}

function fileAt(path: string): Uint8Array | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size <= limits.captureFileBytesMax
      ? readFileSync(path)
      : undefined;
  } catch {
    // A folder above it is a file, or nobody may read it: then no value is known.
    return undefined;
  }
}

/** The stored bytes of a content, which must be there and be what they claim. */
export async function readContent(content: Content, read: RestoreOptions['read']): Promise<Uint8Array> {
  const bytes = await read(content.stored);
  if (bytes === undefined) {
    throw new StaffettaError(
      'blob-missing',
      `The store does not have ${content.stored}, which the capture needs.`,
      {
        details: { blob: content.stored },
      },
    );
  }
  if (digestOf(bytes) !== content.stored)
    throw new StaffettaError('corrupt', `Blob ${content.stored} does not match its digest.`);
  return bytes;
}
