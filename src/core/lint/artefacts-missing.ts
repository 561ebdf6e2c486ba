import type { Rule } from './rule.ts';
import { isEnd } from './subject.ts';

export const artefactsMissing: Rule = {
  id: 'artefacts-missing',
  title: 'The packet names the files that matter',
  about: 'claims',
  weight: { strict: 'error', softer: { research: 'warning', ops: 'warning', review: 'note' } },
  check({ packet, sealedTree, occasion }) {
    if (packet.artefacts.length > 0) return [];
    // What was changed is known without being told; only work that left no trace must name its results.
    if (sealedTree !== null && sealedTree.changes.length > 0) return [];
    return [
      {
        path: 'artefacts',
        // A session that is handed on whole has its results in it, as far as there are any yet.
        ...(packet.facts?.session !== undefined && !isEnd(occasion) ? { atMost: 'warning' as const } : {}),
        text: 'No file is named, and nothing in the workspace was changed.',
        fix: 'Name the documents or sources that hold the results: --artefact PATH.',
      },
    ];
  },
};
