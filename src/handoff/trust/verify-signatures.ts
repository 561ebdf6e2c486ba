import { attestationsIn, isSound } from '../../core/trust/attestation.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import type { Fault } from './verify.ts';

/** Checkpoints and approvals, by how they are vouched for. */
export interface Signatures {
  /** Signed, and the signature fits. */
  valid: number;
  /** Of these, by a key that is not known here as the writer's: of another store, or of nobody. */
  foreign: number;
  /** As all were before there were signatures. */
  unsigned: number;
}

export function noSignatures(): Signatures {
  return { valid: 0, foreign: 0, unsigned: 0 };
}

/** Counts the signatures of an entry, and returns those that do not fit what they stand beside. */
export async function signatureFaults(
  context: Context,
  before: TaskState | undefined,
  entry: Entry,
  tally: Signatures,
): Promise<Fault[]> {
  if (before === undefined) return [];
  const { task, seq } = entry;
  const faults: Fault[] = [];
  for (const attestation of attestationsIn(before, entry)) {
    const { signed, of } = attestation;
    if (signed === undefined) {
      tally.unsigned += 1;
      continue;
    }
    const key = await keyOf(context, signed.key);
    // A key that is missing is said to be, with the other blobs.
    if (key === undefined) continue;
    if (isSound(attestation, key)) {
      tally.valid += 1;
      if ((await context.signer?.knows(entry.by, signed.key)) !== true) tally.foreign += 1;
      continue;
    }
    const what = of === 'checkpoint-sealed' ? 'checkpoint' : 'approval';
    const text = `Entry ${seq} of task ${task}: the signature of its ${what} is not by key ${signed.key} over what the journal says.`;
    faults.push({ kind: 'integrity', task, seq, blob: signed.key, text });
  }
  return faults;
}

async function keyOf({ store }: Context, key: Digest): Promise<Uint8Array | undefined> {
  try {
    return await store.blobs.get(key);
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
    return undefined;
  }
}
