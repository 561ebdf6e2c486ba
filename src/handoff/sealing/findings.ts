import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { utf8 } from '../../core/base/utf8.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';

/** What the gate found when a packet was sealed. */
export async function readFindings(context: Context, digest: Digest | null): Promise<readonly Finding[]> {
  if (digest === null) return [];
  const found: unknown = JSON.parse(utf8(await readBlob(context, digest)));
  if (Array.isArray(found)) return found as readonly Finding[];
  throw new StaffettaError('corrupt', `Blob ${digest} does not hold findings.`);
}
