/**
 * A journal for somebody who trusts nothing here: the exact text of each entry, and what its signatures are about. It is given out as it
 * is stored, damaged or not; to judge it is the reader's part.
 */
import { attestationsIn, payloadType } from '../../core/trust/attestation.ts';
import { entryDomain, parseEntry } from '../../core/journal/entry.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { fold } from '../../core/fold/fold.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';
import { entriesOf, load } from '../record/load.ts';

export type JournalLine =
  | {
      readonly task: TaskId;
      readonly head: { readonly seq: number; readonly digest: Digest };
      /** Stands before the body in what is hashed. */
      readonly domain: string;
      readonly payloadType: string;
    }
  | {
      readonly seq: number;
      readonly digest: Digest;
      readonly body: string;
      readonly signed: readonly SignedStatement[];
    };

export interface SignedStatement {
  readonly of: string;
  readonly statement: string;
  readonly key: Digest;
  readonly signature: string;
  /** SPKI, as DER in base64; null where it is missing. */
  readonly publicKey: string | null;
}

export async function* rawJournal(context: Context, task: TaskId): AsyncGenerator<JournalLine> {
  const { state: now } = await load(context, task);
  yield { task, head: { seq: now.seq, digest: now.head }, domain: entryDomain, payloadType };
  let state: TaskState | undefined;
  let sound = true;
  for await (const { seq, digest, body } of entriesOf(context, task, { to: now.seq })) {
    const signed: SignedStatement[] = [];
    try {
      const entry = parseEntry(body);
      if (sound && state !== undefined)
        for (const { of, statement, signed: by } of attestationsIn(state, entry))
          if (by !== undefined)
            signed.push({
              of,
              statement,
              key: by.key,
              signature: by.signature,
              publicKey: await publicKey(context, by.key),
            });
      if (sound) state = fold(state, entry, digest);
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
      sound = false;
    }
    yield { seq, digest, body, signed };
  }
}

async function publicKey(context: Context, key: Digest): Promise<string | null> {
  try {
    return Buffer.from(await readBlob(context, key)).toString('base64');
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return null;
  }
}
