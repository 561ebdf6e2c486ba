import {
  attestationsIn,
  payloadType,
  preAuthEncoding,
  type AttestedEntry,
} from '../../core/trust/attestation.ts';
import { digestOf } from '../../core/journal/digest.ts';
import type { Event } from '../../core/journal/event.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from './context.ts';

export interface Signed {
  readonly events: readonly Event[];
  /** The public keys, as blobs that the events name. */
  readonly blobs: readonly Uint8Array[];
}

/** The events of an entry, each checkpoint and approval followed by the signature of the actor that writes it. */
export async function signEvents(
  { signer, store }: Context,
  before: TaskState | undefined,
  entry: AttestedEntry,
): Promise<Signed> {
  if (signer === undefined || before === undefined) return { events: entry.events, blobs: [] };
  const events = [...entry.events];
  const blobs: Uint8Array[] = [];
  // From the last one on, so that the places of the others stay as they are.
  for (const { index, statement } of attestationsIn(before, entry).toReversed()) {
    const made = await signer.sign(entry.by, preAuthEncoding(payloadType, statement));
    if (made === undefined) continue;
    const { publicKey, signature } = made;
    events.splice(index + 1, 0, {
      type: 'signed',
      v: 1,
      key: store.blobs.begin?.(publicKey) ?? digestOf(publicKey),
      signature,
    });
    blobs.push(publicKey);
  }
  return { events, blobs };
}
