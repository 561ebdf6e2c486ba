import { goalNotStated } from '../../reasoning/draft.ts';
import type { Rule } from '../rule.ts';

export const goalMissing: Rule = {
  id: 'goal-missing',
  title: 'Somebody said what should be true at the end',
  about: 'contract',
  check: ({ contract }) =>
    contract.goal !== goalNotStated
      ? []
      : [
          {
            path: 'contract.goal',
            text: 'Nobody has said what should be true at the end.',
            fix: 'Say the goal.',
          },
        ],
};
