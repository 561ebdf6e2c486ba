import { defined } from '../../core/base/defined.ts';
import { Contract, sealContract, termsOf } from '../../core/contract/contract.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { parse } from '../../core/base/parse.ts';
import { scopeWidenings } from '../../core/contract/scope.ts';
import { titleFrom } from '../../core/base/text.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { stateAt } from '../record/load.ts';
import { metNeedsOrRefuse, refreshNeeds } from './needs.ts';
import { refuseLargeContract, type ContractInput } from './open.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { redactedTexts } from '../record/redacted.ts';
import { spelledPaths } from '../sealing/watched-paths.ts';

export interface Amendment {
  /** The contract as it should read from now on, given the one in force. */
  readonly change: (contract: Contract) => Contract;
  /** What was asked, in words that do not depend on the contract in force: for telling a repetition from another request. */
  readonly asked: unknown;
  readonly why: string;
  /** It stands as it is: what holders added to it is agreed on from now on. */
  readonly confirm?: true;
  /** A holder says under which generation it speaks. */
  readonly generation?: number;
}

export interface AmendInput {
  /** The fields of the contract that change, as they should read from now on. An empty list takes a list away. */
  readonly change: Partial<ContractInput>;
  readonly why: string;
  /** What holders added is agreed on from now on; then nothing else changes. */
  readonly confirm?: true;
  /** A holder says under which generation it speaks. */
  readonly generation?: number;
}

/** Fields that are given read so from now on; the others stay. */
export function amendmentOf(change: Partial<ContractInput>, why: string): Amendment {
  return { change: (contract) => ({ ...contract, ...change }), asked: change, why };
}

/** Puts a new version of the contract in force. What was submitted under the old one can no longer be approved. */
export async function amend(
  context: Context,
  task: TaskId,
  amendment: Amendment,
  call: Call,
): Promise<Recorded> {
  const recorded = await record(context, {
    task,
    call,
    request: { amend: amendment.asked, why: amendment.why },
    prepare: async (state) => {
      const before = state === undefined ? undefined : await readContract(context, state.contract);
      if (before === undefined) return { command: { type: 'cancel', why: amendment.why } };
      const given = parse(Contract, retitled(before, amendment.change(before)), 'contract');
      const spelled = await spelledPaths(context, given, before);
      const after = await redactedTexts(await context.redactor(), spelled);
      const { bytes, digest } = sealContract(after);
      if (amendment.confirm === true && state?.narrowed === undefined)
        throw new StaffettaError(
          'invalid-input',
          `Nothing in the contract of task ${task} waits to be confirmed.`,
        );
      if (digest === state?.contract && amendment.confirm !== true) {
        throw new StaffettaError('invalid-input', `The contract of task ${task} says that already.`);
      }
      refuseLargeContract(bytes, after);
      const terms = termsOf(after);
      // Those that stood there may be done and swept by now; only what is new must exist.
      const known = new Set(state?.terms.needs);
      await metNeedsOrRefuse(
        context,
        terms.needs.filter((need) => !known.has(need)),
      );
      await refuseCycle(context, task, terms.needs);
      const { why, generation } = amendment;
      const widenings = scopeWidenings(before, after);
      return {
        command: {
          type: 'amend',
          contract: digest,
          terms,
          why,
          widenings,
          ...defined({ generation }),
        },
        blobs: [bytes],
      };
    },
  });
  if (call.dryRun !== true && recorded.state.unmet.length > 0) await refreshNeeds(context, task);
  return recorded;
}

/** A title that was made from the goal follows it. */
function retitled(before: Contract, after: Contract): Contract {
  const isMade = after.title === before.title && before.title === titleFrom(before.goal);
  return isMade && typeof after.goal === 'string' ? { ...after, title: titleFrom(after.goal) } : after;
}

/** A task that waits for itself, through however many others, would wait for ever. */
async function refuseCycle(context: Context, task: TaskId, needs: readonly TaskId[]): Promise<void> {
  const seen = new Set<TaskId>();
  const waiting = [...needs];
  for (let need = waiting.pop(); need !== undefined; need = waiting.pop()) {
    if (need === task) {
      throw new StaffettaError('needs-cycle', `Task ${task} would wait for itself.`, {
        details: { task, needs },
        hint: 'Take out the need that leads back to it.',
      });
    }
    if (seen.has(need)) continue;
    seen.add(need);
    const head = await context.store.journal.head(need);
    if (head !== undefined) waiting.push(...(await stateAt(context, head)).terms.needs);
  }
}
