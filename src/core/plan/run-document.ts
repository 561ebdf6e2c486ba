/** What a run is told to do, as it is kept with it: its plan, its crew, and where work begins. Each change is a new document. */
import * as z from 'zod/mini';
import { StaffettaError } from '../base/error.ts';
import { tryParse } from '../base/parse.ts';
import { utf8 } from '../base/utf8.ts';
import { ObjectId } from '../task/start.ts';
import { Crew, PlanName } from './crew.ts';
import { WorkPlan } from './work-plan.ts';

export const RunDocument = z.strictObject({
  v: z.literal(1),
  name: PlanName,
  plan: z.omit(WorkPlan, { crew: true }),
  crew: Crew,
  /** The commit that the run began at; absent where it makes no trees. */
  base: z.optional(ObjectId),
});
export type RunDocument = z.infer<typeof RunDocument>;

/**
 * Where approved work of a run goes. It lies beside the branches of the tasks: git has no branch under the name of a folder of branches, and no
 * task's name holds a plus.
 */
export function runBranch(run: string): string {
  return `staffetta/${run}/+integrated`;
}

/** In the order of the plan and of the crew, which says what goes first: another order is another document. */
export function sealRunDocument(document: RunDocument): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}

/** Stored bytes to document. */
export function parseRunDocument(bytes: Uint8Array): RunDocument {
  let raw: unknown;
  try {
    raw = JSON.parse(utf8(bytes));
  } catch (cause) {
    throw new StaffettaError('corrupt', 'The stored plan of a run is not JSON.', { cause });
  }
  const parsed = tryParse(RunDocument, raw);
  if (parsed.success) return parsed.data;
  if (typeof raw === 'object' && raw !== null && 'v' in raw && typeof raw.v === 'number' && raw.v > 1)
    throw new StaffettaError('store-newer', `The store holds the plan of a run in version ${raw.v}.`, {
      hint: 'Update staffetta to the version that wrote it.',
    });
  throw new StaffettaError('corrupt', 'The stored plan of a run does not have the shape of one.');
}
