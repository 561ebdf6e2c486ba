import { defined } from '../../core/base/defined.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { Contract, sealContract, termsOf } from '../../core/contract/contract.ts';
import type { Command } from '../../core/task/command.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { taskIdForKey, taskIdFrom, type TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { parse } from '../../core/base/parse.ts';
import { checkKind } from '../../core/base/shape.ts';
import { titleFrom } from '../../core/base/text.ts';
import { leaseMsOf, type Context } from '../record/context.ts';
import { metAtOnce, metNeedsOrRefuse, recordMet } from './needs.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { redactedTexts } from '../record/redacted.ts';
import { withStart } from '../record/start.ts';
import { spelledPaths } from '../sealing/watched-paths.ts';

export type ContractInput = Omit<Contract, 'v' | 'title'> & { readonly title?: string };

export interface OpenOptions {
  /** Whom the work is offered to; by default anyone. */
  readonly to?: Address;
  readonly lane?: Lane;
  /** Take it at once instead of offering it. */
  readonly take?: boolean;
  /** Neither offered nor taken yet. */
  readonly draft?: boolean;
  readonly leaseMs?: number;
  readonly expiresMs?: number;
}

export async function open(
  context: Context,
  input: ContractInput,
  options: OpenOptions,
  call: Call,
): Promise<Recorded> {
  checkKind('contract', input, 'object');
  const { goal } = input;
  // A goal that is no text is refused as such, and not for the title that it cannot give.
  const title = input.title ?? (typeof goal === 'string' ? titleFrom(goal) : 'none');
  const strict = context.strict?.() === true ? { strict: true } : {};
  const parsed = parse(Contract, { v: 1, ...input, ...strict, title }, 'contract');
  const contract = await redactedTexts(await context.redactor(), await spelledPaths(context, parsed));
  const { bytes, digest } = sealContract(contract);
  refuseLargeContract(bytes, contract);
  const terms = termsOf(contract);
  const task: TaskId =
    call.key === undefined ? taskIdFrom(context.entropy.bytes(8)) : taskIdForKey(call.by.name, call.key);
  const first = await withStart(
    context,
    firstStep({ ...options, leaseMs: options.leaseMs ?? leaseMsOf(context) }, call),
  );
  let rest: readonly TaskId[] = [];
  const recorded = await record(context, {
    task,
    call,
    request: { open: contract, options },
    prepare: async () => {
      const all = await metNeedsOrRefuse(context, terms.needs);
      const met = all.slice(0, metAtOnce);
      rest = all.slice(metAtOnce);
      return { command: { type: 'open', contract: digest, terms, met, first }, blobs: [bytes] };
    },
  });
  if (call.dryRun !== true) await recordMet(context, task, { met: rest });
  return recorded;
}

export function refuseLargeContract({ length }: Uint8Array, { needs = [] }: Contract): void {
  const bytes = length - JSON.stringify(needs).length;
  if (bytes <= limits.contractBytesMax) return;
  throw new StaffettaError(
    'too-large',
    `The contract takes ${bytes} bytes; the limit is ${limits.contractBytesMax}.`,
    { hint: 'Keep the agreement short and refer to documents by path.' },
  );
}

export function firstStep(
  options: OpenOptions & { readonly leaseMs: number },
  call: Call,
): Extract<Command, { type: 'open' }>['first'] {
  if (options.draft === true) return null;
  const addressed = options.to?.startsWith('lane:') === true ? (options.to.slice(5) as Lane) : undefined;
  if (options.take === true) {
    return {
      take: options.lane ?? call.by.lane ?? 'execute',
      leaseMs: options.leaseMs,
    };
  }
  const lane = options.lane ?? addressed ?? 'execute';
  return {
    to: options.to ?? 'anyone',
    lane,
    ...defined({ expiresMs: options.expiresMs }),
  };
}
