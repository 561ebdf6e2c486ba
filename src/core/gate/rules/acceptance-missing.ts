import type { Rule } from '../rule.ts';

export const acceptanceMissing: Rule = {
  id: 'acceptance-missing',
  title: 'At least one acceptance criterion says how the result is judged',
  about: 'contract',
  check: ({ contract }) =>
    (contract.acceptance ?? []).length > 0
      ? []
      : [
          {
            path: 'contract.acceptance',
            text: 'Nothing says when the result is accepted.',
            fix: 'Add a criterion that can be found to hold or not.',
          },
        ],
};
