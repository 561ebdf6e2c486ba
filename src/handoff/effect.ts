/**
 * The effect ledger. An outside action is announced before it is done (intent) and recorded after (receipt):
 *
 *   receipt known           the receipt is returned, nothing is done again
 *   no intent               intent → action → receipt
 *   intent without receipt  unknown: the process died, or the action threw. Whoever holds the task finds out and settles
 *                           it, or retries if the other side honours the idempotency key, which stays the same.
 *
 * Delivery of the action itself stays at-least-once; what is exactly-once is the record.
 */
import { digestOf, type Digest } from '../core/digest.ts';
import { openEntry } from '../core/sealed.ts';
import { StaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';
import { limits } from '../core/limits.ts';
import { utf8 } from '../core/utf8.ts';
import type { Held } from './carry.ts';
import type { Context } from './context.ts';
import { readBlob } from './history.ts';
import { load } from './load.ts';
import { eventIn, record, type Call, type Recorded } from './record.ts';

export interface EffectHandle {
  /** For the other side's idempotency header: the same for every retry of this effect, whoever retries. */
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
  await settle(context, held, { name, outcome: 'done', receipt: value }, call);
  context.reached('effect:settled');
  return value;
}

/** Records what became of an effect. */
export async function settle(
  context: Context,
  { task, generation }: Held,
  input: { readonly name: string; readonly outcome: 'done' | 'failed'; readonly receipt?: unknown },
  call: Call,
): Promise<Recorded> {
  const { name, outcome } = input;
  const { fields, blobs } = await receiptFields(context, input.receipt);
  const done = outcome === 'done' ? { key: doneKey(name) } : {};
  return await record(context, {
    task,
    call: { ...call, ...done },
    request: { settle: name, outcome, ...fields },
    prepare: () => ({
      command: { type: 'settle-effect', generation, effect: name, outcome, ...fields },
      blobs,
    }),
  });
}

/** The action has happened: whatever it returned, the receipt must not be what fails. */
async function receiptFields(
  context: Context,
  receipt: unknown,
): Promise<{
  readonly fields: { readonly receipt?: string; readonly receiptBlob?: Digest };
  readonly blobs: readonly Uint8Array[];
}> {
  const given = receipt === undefined ? undefined : jsonOf(receipt);
  if (given === undefined) return { fields: {}, blobs: [] };
  const { value: text } = await (await context.redactor()).text(given);
  const bytes = Buffer.from(text);
  if (bytes.length <= limits.textBytesMax) return { fields: { receipt: text }, blobs: [] };
  return { fields: { receiptBlob: digestOf(bytes) }, blobs: [bytes] };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)?.toWellFormed();
  } catch {
    // A cycle or a bigint: a description is all that can be kept.
    return JSON.stringify(String(value));
  }
}

async function receiptOf(
  context: Context,
  task: TaskId,
  name: string,
): Promise<{ readonly value: unknown } | undefined> {
  const found = await context.store.journal.find(task, doneKey(name));
  if (found === undefined) return undefined;
  const settled = eventIn(openEntry(found), 'effect-settled');
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

/** Effects whose intent has no receipt. */
export async function openEffects(
  context: Context,
  task: TaskId,
): Promise<readonly { readonly effect: string; readonly unknown: boolean }[]> {
  return (await load(context, task)).state.effects;
}

function doneKey(name: string): string {
  return `effect:${name}`;
}
