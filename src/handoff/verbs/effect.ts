/**
 * The effect ledger. An outside action is announced before it is done (intent) and recorded after (receipt):
 *
 *   receipt known           the receipt is returned, nothing is done again
 *   no intent               intent → action → receipt
 *   intent without receipt  unknown: the process died, or the action threw. The holder finds out and settles it,
 *                           or retries if the other side honours the idempotency key, which stays the same.
 *
 * A receipt is JSON, and what an effect returns is what the receipt says, the first time too. A value that JSON would change
 * is no receipt: the action took place, which a note records, and the effect stays open until somebody settles it with one.
 *
 * Delivery of the action itself stays at-least-once; what is exactly-once is the record.
 */
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { receiptFlaw } from '../../core/task/receipt.ts';
import { utf8 } from '../../core/base/utf8.ts';
import { cut } from '../../core/base/text.ts';
import { carry, type Held } from './carry.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { eventIn, record, type Call, type Recorded } from '../record/record.ts';

export interface EffectHandle {
  /** For the other side's idempotency header: the same for every retry of this effect, no matter who retries. */
  readonly key: string;
  /** For the other side's fencing: refuse anything below the highest generation seen. */
  readonly fence: string;
}

export interface EffectOptions {
  /** What to do if an earlier attempt's outcome is unknown. Default: refuse with `effect-unknown`. */
  readonly ifUnknown?: 'refuse' | 'retry';
}

export async function effect<T>(
  context: Context,
  held: Held,
  given: {
    readonly name: string;
    readonly perform: (handle: EffectHandle) => Promise<T> | T;
    readonly options?: EffectOptions;
  },
  call: Call,
): Promise<T> {
  const { name, perform } = given;
  const settled = await receiptOf(context, held.task, name);
  if (settled !== undefined) return settled.value as T;
  const { task, generation } = held;
  const minted = digestOf(`${task}/${generation}/${name}`).slice(7, 39);
  const intended = await record(context, {
    task,
    call,
    request: { intend: name, generation },
    prepare: () => ({
      command: {
        type: 'intend-effect',
        generation,
        effect: name,
        token: minted,
        retry: given.options?.ifUnknown === 'retry',
      },
    }),
  });
  context.reached('effect:intended');
  const key = eventIn(intended.entry, 'effect-intended')?.token ?? minted;
  const value = await perform({ key, fence: `${task}/${generation}` });
  context.reached('effect:performed');
  const flaw = receiptFlaw(value);
  if (flaw !== undefined) throw await unfit(context, held, { name, flaw }, call);
  await settle(context, held, { name, outcome: 'done', receipt: value }, call);
  context.reached('effect:settled');
  // As every later call will have it: without what JSON leaves out, and no longer the object of the action.
  return (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as T;
}

/** It happened, and nobody can be told what came of it. The note outlives this process; the effect waits to be settled. */
async function unfit(
  context: Context,
  held: Held,
  { name, flaw }: { readonly name: string; readonly flaw: string },
  call: Call,
): Promise<StaffettaError> {
  const said = `"${name}" took place, but what it returned cannot be kept as a receipt: ${flaw}.`;
  await carry(context, held, [{ type: 'note', text: cut(said, 2000) }], call);
  return new StaffettaError('effect-unknown', `${said} It is on record as unknown.`, {
    details: { task: held.task, effect: name, flaw, performed: true },
    hint: 'Settle it as done, with a receipt that is JSON, and let the action return JSON.',
  });
}

/** Records what became of an effect. Without a generation it comes from outside: from a person who found out. */
export async function settle(
  context: Context,
  { task, generation }: Pick<Held, 'task'> & Partial<Held>,
  input: { readonly name: string; readonly outcome: 'done' | 'failed'; readonly receipt?: unknown },
  call: Call,
): Promise<Recorded> {
  const { name, outcome } = input;
  const flaw = receiptFlaw(input.receipt);
  if (flaw !== undefined)
    throw new StaffettaError('invalid-input', `The receipt of "${name}" cannot be kept: ${flaw}.`, {
      details: { task, effect: name, flaw },
      hint: 'Give texts, numbers, true, false, null, and lists and plain objects of these.',
    });
  const { fields, blobs } = await receiptFields(context, input.receipt);
  const done = outcome === 'done' ? { key: doneKey(name) } : {};
  return await record(context, {
    task,
    call: { ...call, ...done },
    request: { settle: name, outcome, ...fields },
    prepare: () => ({
      command:
        generation === undefined
          ? { type: 'report-effect', effect: name, outcome, ...fields }
          : { type: 'settle-effect', generation, effect: name, outcome, ...fields },
      blobs,
    }),
  });
}

/** What is too long for an entry is a blob beside it. Secrets are taken out: a later call gets what is on record. */
async function receiptFields(
  context: Context,
  receipt: unknown,
): Promise<{
  readonly fields: { readonly receipt?: string; readonly receiptBlob?: Digest };
  readonly blobs: readonly Uint8Array[];
}> {
  if (receipt === undefined) return { fields: {}, blobs: [] };
  const { value: text } = await (await context.redactor()).text(JSON.stringify(receipt));
  const bytes = Buffer.from(text);
  if (bytes.length <= limits.textBytesMax) return { fields: { receipt: text }, blobs: [] };
  return { fields: { receiptBlob: digestOf(bytes) }, blobs: [bytes] };
}

async function receiptOf(
  context: Context,
  task: TaskId,
  name: string,
): Promise<{ readonly value: unknown } | undefined> {
  const found = await keyedEntry(context, task, doneKey(name));
  if (found === undefined) return undefined;
  const settled = eventIn(found, 'effect-settled');
  if (settled === undefined) {
    throw new StaffettaError(
      'key-reused',
      `The idempotency key "${doneKey(name)}" belongs to the effect ledger and was used for something else.`,
      { details: { task, seq: found.seq }, hint: 'Give the effect another name.' },
    );
  }
  const { receipt, receiptBlob } = settled;
  const text = receiptBlob === undefined ? receipt : utf8(await readBlob(context, receiptBlob));
  return { value: text === undefined ? undefined : (JSON.parse(text) as unknown) };
}

function doneKey(name: string): string {
  return `effect:${name}`;
}
