/** What is said of the contract while the work is handed on is agreed first, as `amend` would do it, in the name of the holder. */
import { defined } from '../../core/base/defined.ts';
import type { Contract } from '../../core/task/contract.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import { amend } from '../../handoff/verbs/amend.ts';
import type { Context } from '../../handoff/record/context.ts';
import { supposing } from '../../handoff/record/supposing.ts';
import { agreedUnder, changesIt, withPart } from '../call/amended-by-session.ts';
import { contractFrom, type ContractGiven } from './contract-values.ts';
import type { Session } from '../call/session.ts';
import type { Values } from '../frame/spec.ts';
import { text } from '../frame/values.ts';

interface Standing {
  readonly task: TaskId;
  readonly generation: number;
  readonly state: TaskState;
}

/** Where it was agreed: in a dry run only supposed, so that what comes after it is judged as it would be. */
export async function agreeFirst(
  session: Session,
  { task, generation, state }: Standing,
  values: Values,
): Promise<Context> {
  const context = await session.context();
  const goal = text(values, 'goal');
  // Skills named beside a packet are for its receiver.
  const { skills: _skills, ...said } = contractFrom(values);
  const part: ContractGiven = { ...said, ...defined({ goal }) };
  if (Object.keys(part).length === 0) return context;
  const agreed = await agreedUnder(session, state);
  if (!changesIt(agreed, part)) return context;
  const fields = Object.keys(part).join(', ');
  const where = session.dryRun ? supposing(context) : context;
  await amend(
    where,
    task,
    {
      change: (contract: Contract) => withPart({ ...agreed, contract }, part),
      asked: { part },
      why: 'Said when the work was handed on.',
      generation,
    },
    { by: session.actor },
  );
  session.output.say(`The contract of ${task} ${session.dryRun ? 'would be' : 'is'} amended: ${fields}.`);
  return where;
}
