import type { Rule } from './rule.ts';

export const superseded: Rule = {
  id: 'superseded',
  title: 'The packet is the latest of its task',
  about: 'transfer',
  weight: { strict: 'error' },
  check: ({ supersededBy }) =>
    supersededBy === null
      ? []
      : [
          {
            path: 'packet',
            text: `A later packet exists: ${supersededBy}.`,
            fix: 'Work from the latest packet.',
          },
        ],
};
