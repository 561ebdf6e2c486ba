import type { Contract } from '../../contract/contract.ts';
import type { GateRule } from '../rule.ts';

export const gateMissing: GateRule = {
  id: 'gate-missing',
  title: 'There is a way to tell that the work is done',
  about: 'contract',
  check: ({ contract }) =>
    hasGate(contract)
      ? []
      : [
          {
            path: 'contract.acceptance',
            text: 'Nothing says how to tell that it is done.',
            fix: 'Give a criterion, a command that proves it, or let a person look at it.',
          },
        ],
};

/** A criterion, a command, or somebody who looks at it. */
export function hasGate({ acceptance, validation, phases, review }: Contract): boolean {
  return (
    isSome(acceptance) ||
    isSome(validation) ||
    review?.human === true ||
    review?.owner !== undefined ||
    (phases ?? []).some(({ criteria, verify }) => isSome(criteria) || isSome(verify))
  );
}

function isSome(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
