import { scopeWidenings } from '../../contract/scope.ts';
import type { GateRule } from '../rule.ts';

export const scopeWider: GateRule = {
  id: 'scope-wider',
  title: 'The work has not grown since the last packet',
  about: 'transfer',
  check({ contract, parentContract, giver, lane }) {
    const mayWiden =
      giver.kind !== 'agent' || giver.lane === 'supervise' || giver.lane === 'plan' || lane === 'plan';
    if (parentContract === null || parentContract === contract || mayWiden) return [];
    return scopeWidenings(parentContract, contract).map((widening) => ({
      path: `contract.${widening.split(':')[0] ?? ''}`,
      text: `The contract grew: ${widening}.`,
      fix: 'Have it amended in the plan or supervise lane, or by a person.',
    }));
  },
};
