import { systemActor, type Actor } from '../task/actor.ts';
import { sealContract, type Contract } from '../contract/contract.ts';
import type { Packet } from '../packet/packet.ts';
import type { Finding } from './finding.ts';
import { lint } from './lint.ts';

export interface ContractSubject {
  readonly contract: Contract;
  /** Null where nobody has worked on it yet. */
  readonly author: Actor | null;
  /** Whether a program can be started here; undefined where nobody knows. */
  readonly runnable: (program: string) => boolean | undefined;
}

/**
 * What the gate will object to in a contract, known before any work is done. Rules about packets and facts have nothing to look at
 * yet, and what they say is left out.
 */
export function lintContract({ contract, author, runnable }: ContractSubject): readonly Finding[] {
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
    runnable,
    runs: [],
    phases: [],
    losses: [],
    tokens: null,
    tokensMax: 0,
    secrets: [],
    beside: [],
  });
  return findings.filter(({ path }) => path.startsWith('contract.'));
}
