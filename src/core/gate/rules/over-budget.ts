import type { GateRule } from '../rule.ts';

export const overBudget: GateRule = {
  id: 'over-budget',
  title: 'What the successor must read fits its budget',
  about: 'transfer',
  check: ({ tokens, tokensMax }) =>
    tokens === null || tokens <= tokensMax
      ? []
      : [
          {
            path: 'claims',
            text: `The packet takes ${tokens} tokens; the cap is ${tokensMax}.`,
            fix: 'Shorten the claims; put details into artefacts or the transcript.',
          },
        ],
};
