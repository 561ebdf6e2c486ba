import type { GateRule } from '../rule.ts';

export const secretInText: GateRule = {
  id: 'secret-in-text',
  title: 'No secret stands in the packet',
  about: 'transfer',
  check: ({ secrets }) =>
    secrets.map((rule) => ({
      path: 'packet',
      text: `A secret (${rule}) stands in the packet.`,
      fix: 'Take it out, and change the secret: it has been in a transcript.',
    })),
};
