import { systemActor, type Actor } from '../../core/task/actor.ts';
import { sealContract, type Contract } from '../../core/task/contract.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { lint } from '../../core/gate/lint.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { Context } from '../record/context.ts';

/**
 * What the gate will object to in a contract, known before any work is done. Rules about packets and facts have nothing to look at
 * yet, and what they say is left out.
 */
export async function judgeContract(
  context: Context,
  given: Contract,
  author: Actor | null = null,
): Promise<readonly Finding[]> {
  const contract: Contract = context.strict?.() === true ? { ...given, strict: true } : given;
  const giver = author ?? systemActor;
  const { digest } = sealContract(contract);
  const packet: Packet = {
    v: 1,
    task: 't000000000000',
    parent: null,
    contract: digest,
    generation: 0,
    head: { seq: 0, digest },
    at: 0,
    from: giver,
    lane: 'execute',
    trigger: 'planned',
    claims: {},
    artefacts: [],
    transcript: [],
  };
  const findings = lint({
    contract,
    unconfirmed: [],
    packet,
    parent: null,
    parentContract: null,
    giver,
    authors: author === null ? [] : [author.name],
    to: null,
    lane: 'execute',
    occasion: 'handoff',
    emergency: false,
    sealedTree: null,
    tree: null,
    receivedTree: null,
    exists: () => undefined,
    runnable: await runnableHere(context, contract),
    runs: [],
    phases: [],
    losses: [],
    tokens: null,
    tokensMax: 0,
    secrets: [],
  });
  return findings.filter(({ path }) => path.startsWith('contract.'));
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
