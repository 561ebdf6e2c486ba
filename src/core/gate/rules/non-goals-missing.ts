import type { Rule } from '../rule.ts';

export const nonGoalsMissing: Rule = {
  id: 'non-goals-missing',
  title: 'The contract says what is not part of it, or that nothing is excluded',
  about: 'contract',
  check: ({ contract }) =>
    (contract.nonGoals ?? []).length > 0
      ? []
      : [
          {
            path: 'contract.nonGoals',
            text: 'Nobody has said what is not part of it.',
            fix: 'Name what is not part of it. "none" is an answer.',
          },
        ],
};
