import type { Actor } from '../../core/task/actor.ts';
import type { Contract } from '../../core/contract/contract.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { lintContract } from '../../core/gate/lint-contract.ts';
import type { Context } from '../record/context.ts';

/** What the gate will object to in a contract, by what can be started in the workspace and how strict the store is. */
export async function judgeContract(
  context: Context,
  given: Contract,
  author: Actor | null = null,
): Promise<readonly Finding[]> {
  const contract: Contract = context.strict?.() === true ? { ...given, strict: true } : given;
  return lintContract({ contract, author, runnable: await runnableHere(context, contract) });
}

/** Nobody knows where there is no workspace, or none that can be looked at. */
async function runnableHere(
  context: Context,
  { validation = [] }: Contract,
): Promise<(program: string) => boolean | undefined> {
  if (validation.length === 0 || context.workspace === undefined) return () => undefined;
  try {
    const workspace = await context.workspace();
    return (program) => workspace.runnable(program);
  } catch (error) {
    if (isStaffettaError(error)) return () => undefined;
    throw error;
  }
}
