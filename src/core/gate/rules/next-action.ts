import type { GateRule } from '../rule.ts';

export const nextAction: GateRule = {
  id: 'next-action',
  title: 'The next step is named',
  about: 'claims',
  check: ({ claims }) =>
    claims.some(({ path, text }) => path === 'claims.next' && text.trim() !== '')
      ? []
      : [
          {
            path: 'claims.next',
            text: 'No next step is named.',
            fix: 'Name the one thing to do first.',
          },
        ],
};
