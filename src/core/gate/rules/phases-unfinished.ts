import type { RuleHit } from '../finding.ts';
import type { GateRule } from '../rule.ts';
import type { PhaseFact, Subject } from '../subject.ts';

/**
 * Every phase is verified, and the last one on the workspace as it is handed in. Those before it are followed by the edits of the
 * next ones, so what was seen of them is naturally about an earlier state.
 */
export const phasesUnfinished: GateRule = {
  id: 'phases-unfinished',
  title: 'Work that is handed in has every phase verified, the last one on the workspace as it is',
  about: 'facts',
  check({ phases, sealedTree }) {
    return [
      ...phases.filter(({ status }) => status !== 'verified').map(unfinished),
      ...phases
        .slice(-1)
        .filter((last) => isStale(last, sealedTree))
        .map(stale),
    ];
  },
};

function unfinished({ name, status }: PhaseFact): RuleHit {
  return {
    path: `contract.phases.${name}`,
    text: `Phase ${name} is ${status === null ? 'not started' : status === 'started' ? 'started, not verified' : status}.`,
    fix: `${status === null || status === 'rolled-back' ? 'Start' : 'Verify'} it.`,
  };
}

function isStale({ status, workspace = null }: PhaseFact, tree: Subject['sealedTree']): boolean {
  return status === 'verified' && workspace !== null && tree !== null && workspace !== tree.digest;
}

function stale({ name }: PhaseFact): RuleHit {
  return {
    path: `contract.phases.${name}`,
    text: `The last phase, ${name}, was verified on another state of the workspace.`,
    fix: 'Verify it again.',
  };
}
