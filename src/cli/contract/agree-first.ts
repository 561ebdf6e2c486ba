/** What is said of the contract while the work is handed on is agreed first. */
import { defined } from '../../core/base/defined.ts';
import { agreeFirst, type ContractGiven } from '../../desk/agree-first.ts';
import type { Context } from '../../handoff/record/context.ts';
import { contractFrom } from './contract-values.ts';
import type { Session } from '../call/session.ts';
import type { Values } from '../frame/spec.ts';
import { text } from '../frame/values.ts';

/** Skills named beside a packet are for its receiver. */
export function saidOfContract(values: Values): ContractGiven {
  const { skills: _skills, ...said } = contractFrom(values);
  return { ...said, ...defined({ goal: text(values, 'goal') }) };
}

/** Where it was agreed. */
export async function agreeAndSay(
  session: Session,
  held: Parameters<typeof agreeFirst>[1],
  values: Values,
): Promise<Context> {
  const part = saidOfContract(values);
  const { actor: by, dryRun } = session;
  const { context, fields } = await agreeFirst(await session.context(), held, part, { by, dryRun });
  if (fields.length > 0)
    session.output.say(
      `The contract of ${held.task} ${dryRun ? 'would be' : 'is'} amended: ${fields.join(', ')}.`,
    );
  return context;
}
