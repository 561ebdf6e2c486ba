import { attestationsIn, envelopeOf, type Envelope } from '../../core/trust/attestation.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';
import { lineage } from '../history/lineage.ts';
import { soundPages } from '../record/load.ts';

export interface SignedEnvelope extends Envelope {
  /** SPKI of the key, as DER in base64; its SHA-256 is the keyid. */
  readonly publicKey: string;
}

/** The signed checkpoints and approvals of a task and of what it was forked from, in order, as DSSE envelopes for other tools. */
export async function* envelopes(context: Context, task: TaskId): AsyncGenerator<SignedEnvelope> {
  for (const stretch of await lineage(context, task)) {
    let state: TaskState | undefined;
    for await (const page of soundPages(context, stretch)) {
      for (const { entry, digest } of page) {
        for (const { statement, signed } of state === undefined ? [] : attestationsIn(state, entry)) {
          if (signed === undefined) continue;
          const publicKey = Buffer.from(await readBlob(context, signed.key)).toString('base64');
          yield { ...envelopeOf(statement, signed), publicKey };
        }
        state = fold(state, entry, digest);
      }
    }
  }
}
