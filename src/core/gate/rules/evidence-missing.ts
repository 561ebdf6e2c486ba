import type { GateRule } from '../rule.ts';

export const evidenceMissing: GateRule = {
  id: 'evidence-missing',
  title: 'What is said to be done points to its evidence',
  about: 'claims',
  check: ({ claims }) =>
    claims
      .filter(({ evidence, path }) => evidence.length === 0 && path.startsWith('claims.done'))
      .map(({ path, text }) => ({
        path,
        text: `"${text.slice(0, 60)}" is shown as unverified.`,
        fix: 'Add its evidence: a journal entry (j12), a run (r12: the one in entry 12), a decision (d3), a step (s42) or file:PATH.',
      })),
};
