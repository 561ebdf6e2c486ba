import type { Rule } from './rule.ts';

export const nonGoalsMissing: Rule = {
  id: 'non-goals-missing',
  title: 'The contract says what is not part of it',
  about: 'contract',
  weight: {
    strict: 'error',
    softer: {
      code: 'warning',
      research: 'note',
      docs: 'warning',
      review: 'note',
      ops: 'warning',
      data: 'warning',
    },
  },
  check: ({ contract }) =>
    (contract.nonGoals ?? []).length > 0
      ? []
      : [
          {
            path: 'contract.nonGoals',
            text: 'Nothing is excluded, so the next agent may widen the work.',
            fix: 'Name at least one thing that is not part of it: --non-goal "per-user limits".',
          },
        ],
};
