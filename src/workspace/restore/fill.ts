/** Contents on their way into the tree, with the values that stand there already where placeholders would take their place. */
import { damagedBlob } from '../../core/journal/blob-faults.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { fillIn } from '../../core/redact/fill-in.ts';
import type { Content } from '../../core/tree/workspace.ts';
import type { RestoreOptions } from '../../ports/workspace.ts';
import type { Ground } from './ground.ts';

export interface Filling {
  readonly ground: Pick<Ground, 'read'>;
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
  { ground, tracked, read }: Filling,
): Promise<FilledContent> {
  const bytes = await readContent(content, read);
  if (content.redacted !== true) return { bytes, kept: false, redacted: false };
  const here = tracked.has(path) ? await ground.read(path) : undefined;
  if (here === undefined) return { bytes, kept: false, redacted: true };
  const filled = fillIn(bytes, here);
  return { bytes: filled.bytes, kept: filled.kept > 0, redacted: filled.left > 0 };
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
  if (digestOf(bytes) !== content.stored) throw damagedBlob(content.stored);
  return bytes;
}
